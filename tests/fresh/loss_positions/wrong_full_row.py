# loses the last target if the row fills the block
def loss_positions(question, answer, block_size):
    last = min(len(question) + len(answer), block_size - 3)
    return list(range(len(question) - 1, last + 1))
