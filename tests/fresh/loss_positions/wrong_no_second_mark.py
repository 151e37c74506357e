# without the second mark
def loss_positions(question, answer, block_size):
    return list(range(len(question) - 1, len(question) + len(answer)))
