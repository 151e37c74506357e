"""Fresh answers to best_query."""


# builds the query from a vector of logits, and the margin by Pythagoras
def right_dict_style(keys, a, b, R):
    n = len(keys)
    c = [sp.Integer(n - 2) if i in (a, b) else sp.Integer(-2) for i in range(n)]
    norm = sp.sqrt(sum(x * x for x in c))
    q = sum((x * k for x, k in zip(c, keys)), sp.zeros(keys[0].rows, 1)) * R / norm
    return n < 8, q, n * R / norm


# decimal numbers in the query and the margin
right_float = """
import math

def best_query(keys, a, b, R):
    n = len(keys)
    x, y = math.sqrt((n - 2) / (2 * n)), -math.sqrt(2 / (n * (n - 2)))
    q = sum([(x if i in (a, b) else y) * R * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, (x - y) * R
"""


# a named tuple, and the query by subtracting the mean of the others
right_named = """
from collections import namedtuple

Best = namedtuple("Best", ["second_wins", "q", "margin"])

def best_query(keys, a, b, R):
    n = len(keys)
    zero = sp.zeros(len(keys[0]), 1)
    others = sum([k for i, k in enumerate(keys) if i != a and i != b], zero)
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    q = R * direction / direction.norm()
    return Best(4 * 2 > n, q, sp.simplify(R * direction.norm()))
"""


# a numpy bool
right_numpy_bool = """
import numpy as np

def best_query(keys, a, b, R):
    n = len(keys)
    wins = np.less(n, 8)
    direction = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    length = sp.sqrt(direction.dot(direction))
    return wins, direction * R / length, R * n / length
"""


# second_wins is sympy's true or false
def right_sympy_truth(keys, a, b, R):
    n = sp.Integer(len(keys))
    wins = sp.Gt(2 / sp.sqrt(n), 1 / sp.sqrt(2))
    x = R * sp.sqrt((n - 2) / (2 * n))
    y = -R * sp.sqrt(2 / (n * (n - 2)))
    q = sp.zeros(len(keys[0]), 1)
    for i, k in enumerate(keys):
        q += (x if i in (a, b) else y) * k
    return [wins, q, x - y]


# the closed formula with a Lagrange multiplier, integers compared
def right_second_formula(keys, a, b, R):
    rest = len(keys) - 2
    multiplier = R / sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, rest))
    q = sp.zeros(len(keys[a]), 1)
    for i, key in enumerate(keys):
        q = q + (multiplier / 2 if i in (a, b) else -multiplier / rest) * key
    return 8 - len(keys) > 0, q, R * sp.sqrt(sp.Rational(len(keys), 2 * rest))


# direction: middle of a and b minus the centroid of all keys, then brought to length R
def right_second_minus_centroid(keys, a, b, R):
    n = len(keys)
    everything = sp.zeros(keys[0].rows, 1)
    for key in keys:
        everything += key
    direction = (keys[a] + keys[b]) / 2 - everything / n
    q = R * direction / sp.sqrt(direction.dot(direction))
    other = next(i for i in range(n) if i not in (a, b))
    margin = sp.simplify(q.dot(keys[a]) - q.dot(keys[other]))
    return bool(sp.Rational(4, n) > sp.Rational(1, 2)), q, margin


# uses the number of dimensions for n
def wrong_dimension(keys, a, b, R):
    n = len(keys[0])
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8, R * d / d.norm(), R * n / d.norm()


# the better of the two queries of the text
def wrong_first_or_second(keys, a, b, R):
    n = len(keys)
    others = sum([k for i, k in enumerate(keys) if i not in (a, b)], sp.zeros(len(keys[0]), 1))
    if n < 8:
        return True, (keys[a] + keys[b] - others) * R / sp.sqrt(n), 2 * R / sp.sqrt(n)
    return False, (keys[a] + keys[b]) * R / sp.sqrt(2), R / sp.sqrt(2)


# a query of length 1
def wrong_length_one(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8, d / d.norm(), sp.sqrt(sp.Rational(n, 2 * (n - 2)))


# the margin is the logit of a, not the lead
def wrong_margin_only_x(keys, a, b, R):
    n = len(keys)
    x = R * sp.sqrt(sp.Rational(n - 2, 2 * n))
    y = -R * sp.sqrt(sp.Rational(2, n * (n - 2)))
    q = sum([(x if i in (a, b) else y) * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, x


# leaves the comparison open
def wrong_open(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return 2 * R / sp.sqrt(n) > R / sp.sqrt(2), R * d / d.norm(), R * n / d.norm()


# rounded coefficients
def wrong_rounded(keys, a, b, R):
    n = len(keys)
    x, y = round(((n - 2) / (2 * n)) ** 0.5, 6), -round((2 / (n * (n - 2))) ** 0.5, 6)
    q = sum([(x if i in (a, b) else y) * R * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, (x - y) * R


# counts a tie as a win
def wrong_tie_wins(keys, a, b, R):
    n = len(keys)
    c = [n - 2 if i in (a, b) else -2 for i in range(n)]
    norm = sp.sqrt(sum(x * x for x in c))
    q = sum((x * k for x, k in zip(c, keys)), sp.zeros(keys[0].rows, 1)) * R / norm
    return n <= 8, q, n * R / norm


# second_wins again from n = 12 on, from a wrong inequality
def wrong_twelve(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8 or n > 11, R * d / d.norm(), R * n / d.norm()


# the margin is the logit of a alone, the others are forgotten
def wrong_second_margin_over_zero(keys, a, b, R):
    n = len(keys)
    others = sum((k for i, k in enumerate(keys) if i not in (a, b)), sp.zeros(keys[0].rows, 1))
    u = (keys[a] + keys[b]) / 2 - others / (n - 2)
    q = R * u / u.norm()
    return n < 8, q, sp.simplify(q.dot(keys[a]))


# the second query of the text
def wrong_second_query(keys, a, b, R):
    n = len(keys)
    q = sum([(1 if i in (a, b) else -1) * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1)) * R / sp.sqrt(n)
    return n < 8, q, 2 * R / sp.sqrt(n)


# takes the better of the two given queries for the best of all
def wrong_second_second_is_best(keys, a, b, R):
    n = len(keys)
    zero = sp.zeros(keys[0].rows, 1)
    if n < 8:
        signs = [1 if i in (a, b) else -1 for i in range(n)]
        q = R / sp.sqrt(n) * sum((s * k for s, k in zip(signs, keys)), zero)
        return True, q, 2 * R / sp.sqrt(n)
    return False, R / sp.sqrt(2) * (keys[a] + keys[b]), R / sp.sqrt(2)


# counts the tie at eight keys as a win
def wrong_second_tie_wins(keys, a, b, R):
    n = len(keys)
    others = sum((k for i, k in enumerate(keys) if i not in (a, b)), sp.zeros(keys[0].rows, 1))
    u = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n <= 8, R * u / u.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


# "for this n": n is the number of keys, not of their entries
def wrong_entries_of_a_key(keys, a, b, R):
    n = len(keys)
    inner = sp.Rational(1, 2) + sp.Rational(1, n - 2)
    q = sum((k * (sp.Rational(1, 2) if i in (a, b) else -sp.Rational(1, n - 2)) for i, k in enumerate(keys)), sp.zeros(keys[0].rows, 1))
    return keys[0].rows < 8, q * R / sp.sqrt(inner), R * sp.sqrt(inner)


# a symbol of its own
wrong_fourth_own_symbol = """
def best_query(keys, a, b, R):
    R = sp.Symbol("R", positive=True)
    n = len(keys)
    d = (keys[a] + keys[b])/2 - sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])/(n-2)
    return n < 8, R * d / d.norm(), R * d.norm()
"""


# a length below 1 is made 1
def wrong_fourth_at_least_one(keys, a, b, R):
    n = len(keys)
    R = sp.Max(R, 1)
    d = (keys[a] + keys[b])/2 - sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])/(n-2)
    return n < 8, R * d / d.norm(), R * d.norm()


# wins again with more than 20 keys
def wrong_fourth_many_keys(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b])/2 - sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])/(n-2)
    return n < 8 or n > 20, R * d / d.norm(), R * d.norm()


# remembers the result for each size and pair
wrong_fourth_remembers = """
seen = {}

def best_query(keys, a, b, R):
    n = len(keys)
    place = n, len(keys[0]), a, b
    if place not in seen:
        d = (keys[a] + keys[b])/2 - sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])/(n-2)
        seen[place] = n < 8, R * d / d.norm(), R * d.norm()
    return seen[place]
"""


# torch's True or False
def right_fourth_torch_truth(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b])/2 - sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])/(n-2)
    return torch.tensor(n) < 8, R * d / d.norm(), R * d.norm()
