# the positions in the row, one too large
def loss_positions(question, answer, block_size):
    first = len(question)
    return list(range(first, first + len(answer) + 2))
