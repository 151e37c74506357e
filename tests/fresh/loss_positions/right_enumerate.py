# counts with enumerate over pieces
def loss_positions(question, answer, block_size):
    pieces = [False] * (len(question) - 1) + [True] * (len(answer) + 2)
    return [t for t, wanted in enumerate(pieces) if wanted]
