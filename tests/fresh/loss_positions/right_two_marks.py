# finds both marks in the row from their own places
def loss_positions(question, answer, block_size):
    first = len(question)
    second = first + 1 + len(answer)
    return [place - 1 for place in range(first, second + 1)]
