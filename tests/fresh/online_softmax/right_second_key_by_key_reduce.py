# folds the keys in one at a time with functools.reduce and an inner function
from functools import reduce


def online_softmax(state, logits, values):
    """One key at a time."""

    def one_more(state, key):
        m, ell, a = state
        s, v = key
        if s.item() == -math.inf:
            return state
        if s > m:
            shrink = torch.exp(m - s)
            return s.clone(), shrink * ell + 1, shrink * a + v
        weight = torch.exp(s - m)
        return m, ell + weight, a + weight * v

    copies = tuple(part.clone() for part in state)
    return reduce(one_more, zip(logits, values), copies)
