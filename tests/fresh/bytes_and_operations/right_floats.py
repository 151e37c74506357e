# Floats, because 5/2 is one.
def bytes_and_operations(N, T, d):
    forward = 4.0 * N * T * T * d
    tile = 8.0 * N * T * d
    return {
        "in_steps": (tile * (1 + T / d), forward),
        "one_tile": (tile, forward),
        "synthesizer": (0.75 * tile + 2 * T * d, forward),
        "backward": (1.75 * tile, 2.5 * forward),
    }
