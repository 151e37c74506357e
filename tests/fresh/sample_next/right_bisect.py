# bisect on a list of sums.
from bisect import bisect_right
from itertools import accumulate


def sample_next(logits, temperature, u):
    if temperature == 0:
        return logits.tolist().index(max(logits.tolist()))
    return bisect_right(list(accumulate((logits / temperature).softmax(0).tolist()))[:-1], u)
