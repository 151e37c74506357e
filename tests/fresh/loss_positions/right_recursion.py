# recursion from the last position to the first
def loss_positions(question, answer, block_size):
    if not answer:
        return [len(question) - 1, len(question)]
    rest = loss_positions(question, answer[:-1], block_size)
    return rest + [rest[-1] + 1]
