# the question is also predicted
def loss_positions(question, answer, block_size):
    return list(range(len(question) + len(answer) + 1))
