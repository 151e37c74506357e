# the roots of the polynomial, as numpy numbers
import numpy as np


def interval95(correct, total):
    share, c = correct / total, 1.96**2 / total
    low, high = sorted(np.roots([1 + c, -(2 * share + c), share**2]).real)
    return low, high
