# named tuples
from collections import namedtuple

Point = namedtuple("Point", "coverage risk")


def risk_coverage(confidences, right):
    def at(t):
        kept = [not hit for c, hit in zip(confidences, right) if c >= t]
        return Point(len(kept) / len(confidences), sum(kept) / len(kept))

    return [at(t) for t in sorted({*confidences})[::-1]]
