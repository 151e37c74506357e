# an empty answer has no targets
def loss_positions(question, answer, block_size):
    if answer == "":
        return []
    return list(range(len(question) - 1, len(question) + len(answer) + 1))
