# the Synthesizer's table of keys is counted for each head again
def bytes_and_operations(N, T, d):
    rows, square = N * T * d, N * T * T
    return {
        "in_steps": (8 * rows + 8 * square, 4 * square * d),
        "one_tile": (8 * rows, 4 * square * d),
        "synthesizer": (8 * rows, 4 * square * d),
        "backward": (14 * rows, 10 * square * d),
    }
