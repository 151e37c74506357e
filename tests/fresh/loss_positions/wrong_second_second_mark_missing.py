# forgets the ⁇ that says that the answer is complete
def loss_positions(question, answer, block_size):
    first = len(question) - 1
    return [first + i for i in range(len(answer) + 1)]
