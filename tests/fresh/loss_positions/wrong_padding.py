# to the end of the block
def loss_positions(question, answer, block_size):
    return list(range(len(question) - 1, block_size - 1))
