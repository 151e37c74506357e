# numpy integers in a list
def loss_positions(question, answer, block_size):
    return list(np.arange(len(question) - 1, len(question) + len(answer) + 1))
