# searches for the answer, which may be in the question
def loss_positions(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    first = row.index(answer) - 2
    return list(range(first, first + len(answer) + 2))
