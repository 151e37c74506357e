# Forgets that the logits are computed again.
def bytes_and_operations(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 4 * p),
    }
