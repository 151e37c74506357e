# Sizes of the example: counts squares as 2 T d, which is the same only for T = 2 d.
def bytes_and_operations(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (12 * r, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }
