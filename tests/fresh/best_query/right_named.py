# a named tuple, and the query by subtracting the mean of the others
from collections import namedtuple

Best = namedtuple("Best", ["second_wins", "q", "margin"])

def best_query(keys, a, b, R):
    n = len(keys)
    zero = sp.zeros(len(keys[0]), 1)
    others = sum([k for i, k in enumerate(keys) if i != a and i != b], zero)
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    q = R * direction / direction.norm()
    return Best(4 * 2 > n, q, sp.simplify(R * direction.norm()))
