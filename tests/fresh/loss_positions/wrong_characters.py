# every place whose character is one of the answer
def loss_positions(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    return [t for t in range(len(row) - 1) if row[t + 1] in answer + "⁇"]
