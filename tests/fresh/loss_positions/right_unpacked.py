# unpacks a range, counts from the back
def loss_positions(question, answer, block_size):
    last = len(question + answer)
    return [*range(last, last - len(answer) - 2, -1)][::-1]
