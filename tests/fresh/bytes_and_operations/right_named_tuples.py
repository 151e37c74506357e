# Named tuples as pairs.
from collections import namedtuple

Cost = namedtuple("Cost", "bytes operations")


def bytes_and_operations(N, T, d):
    work = 4 * N * d * T**2
    return dict(
        in_steps=Cost(8 * N * T * (d + T), work),
        one_tile=Cost(8 * N * T * d, work),
        synthesizer=Cost(6 * N * T * d + 2 * T * d, work),
        backward=Cost(14 * N * T * d, 5 * work // 2),
    )
