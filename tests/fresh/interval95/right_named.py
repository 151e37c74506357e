# a named tuple
from collections import namedtuple

Interval = namedtuple("Interval", ["low", "high"])


def interval95(correct, total):
    z2 = 1.96 * 1.96
    root = (z2 * (z2 + 4 * correct * (total - correct) / total)) ** 0.5
    low, high = (((2 * correct + z2) + sign * root) / (2 * (total + z2)) for sign in (-1, 1))
    return Interval(max(low, 0.0), min(high, 1.0))
