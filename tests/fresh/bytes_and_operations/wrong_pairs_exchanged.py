# (operations, bytes).
def bytes_and_operations(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (2 * p, 4 * r + 8 * N * T * T),
        "one_tile": (2 * p, 4 * r),
        "synthesizer": (2 * p, 3 * r + 2 * T * d),
        "backward": (5 * p, 7 * r),
    }
