# the characters and not their positions
def loss_positions(question, answer, block_size):
    return list("⁇" + answer + "⁇")
