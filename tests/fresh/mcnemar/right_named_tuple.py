# a named tuple, and the tail from the upper end
from typing import NamedTuple


class Result(NamedTuple):
    only_first: int
    only_second: int
    p: float


def mcnemar(first, second):
    b = sum(1 for x, y in zip(first, second) if x and not y)
    c = sum(1 for x, y in zip(first, second) if y and not x)
    n = b + c
    upper = sum(math.comb(n, i) * 0.5**n for i in range(max(b, c), n + 1))
    return Result(b, c, min(1.0, 2 * upper))
