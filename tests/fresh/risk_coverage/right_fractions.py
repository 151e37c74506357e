# exact fractions
from fractions import Fraction


def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((float(Fraction(len(given), len(right))), float(Fraction(given.count(False), len(given)))))
    return points
