# a named tuple; Fraction for the mean
from collections import namedtuple
from fractions import Fraction

Paired = namedtuple("Paired", ["difference", "error"])


def paired_difference(first, second):
    d = [a - b for a, b in zip(map(int, first), map(int, second))]
    mean = Fraction(sum(d), len(d))
    variance = sum((x - mean) ** 2 for x in d) / len(d)
    return Paired(float(mean), math.sqrt(variance / len(d)))
