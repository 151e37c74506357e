# a while loop over the answer with its two marks
def loss_positions(question: str, answer: str, block_size: int) -> list:
    """One position for each character of ⁇ answer ⁇, from the last character of the question on."""
    t = len(question) - 1
    positions = []
    left = len(answer) + 2
    while left:
        positions.append(t)
        t, left = t + 1, left - 1
    return positions
