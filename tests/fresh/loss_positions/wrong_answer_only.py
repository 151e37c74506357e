# only the characters of the answer
def loss_positions(question, answer, block_size):
    return list(range(len(question), len(question) + len(answer)))
