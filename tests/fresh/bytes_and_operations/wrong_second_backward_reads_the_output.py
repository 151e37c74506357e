# the backward pass also reads the output, and the logits are not computed again
def bytes_and_operations(N, T, d):
    rows, square = N * T * d, N * T * T
    return {
        "in_steps": (8 * rows + 8 * square, 4 * square * d),
        "one_tile": (8 * rows, 4 * square * d),
        "synthesizer": (6 * rows + 2 * T * d, 4 * square * d),
        "backward": (16 * rows, 8 * square * d),
    }
