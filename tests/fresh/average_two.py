"""Fresh answers to average_two."""


# adds two queries of copy_one, given in the same cell as a helper
right_calls_copy_one = """
def _copy(keys, j, beta):
    return beta * keys[j]

def average_two(keys, a, b, beta):
    return _copy(keys, a, beta) + _copy(keys, b, beta)
"""


# pushes all other keys down and leaves a and b at 0
def right_excludes_others(keys, a, b, beta):
    q = sp.zeros(len(keys[0]), 1)
    for i, k in enumerate(keys):
        if i not in (a, b):
            q = q - beta * k
    if len(keys) == 2:
        q = beta * (keys[0] + keys[1])
    return q


# the sum of all keys less the others, with a power of beta
def right_product(keys, a, b, beta):
    logits = sp.Matrix([sp.sqrt(beta) if i in {a, b} else 0 for i in range(len(keys))])
    K = sp.Matrix([list(k) for k in keys])
    return K.T * logits


# least squares with exact rational arithmetic
def right_projection(keys, a, b, beta):
    K = sp.Matrix.vstack(*[k.T for k in keys])
    wanted = sp.Matrix([2 * beta if i in (a, b) else beta for i in range(len(keys))])
    return K.T * (K * K.T).inv() * wanted


# functools.reduce and a lambda
right_reduce = """
from functools import reduce

average_two = lambda keys, a, b, beta: reduce(lambda x, y: x + y, (beta * keys[i] for i in (a, b)))
"""


# the two logits differ by 1/beta, which tends to 0
def right_vanishing_difference(keys, a, b, beta):
    return beta * keys[a] + (beta + 1 / beta) * keys[b]


# leaves a and b at the logit 0 and pushes all others down
def right_second_push_others_down(keys, a, b, beta):
    others = [key for i, key in enumerate(keys) if i not in {a, b}]
    return -beta * sum(others, sp.zeros(len(keys[a]), 1))


# the two logits differ by 5 / beta, which tends to 0
def right_second_vanishing_difference(keys, a, b, beta):
    return beta**2 * (keys[a] + keys[b]) + 5 / beta * keys[a]


# puts beta at places a and b, which is right for the standard basis only
def wrong_basis(keys, a, b, beta):
    q = sp.zeros(len(keys[0]), 1)
    q[a] = q[b] = beta
    return q


# key b gets a constant lead of 1/1000
def wrong_constant_lead(keys, a, b, beta):
    return beta * keys[a] + (beta + sp.Rational(1, 1000)) * keys[b]


# the difference of the two keys
def wrong_difference(keys, a, b, beta):
    return beta * (keys[a] - keys[b])


# right only for indices that are at most two apart
def wrong_far_apart(keys, a, b, beta):
    low, high = min(a, b), max(a, b)
    if high - low > 1:
        high = low + 1 if (high - low) > 2 else high
    return beta * (keys[low] + keys[high])


# draws keys of its own and forgets the argument
def wrong_global_keys(keys, a, b, beta):
    own = [sp.eye(len(keys[0]))[:, i] for i in range(len(keys))]
    return beta * (own[a] + own[b])


# forgets beta: the average of the two keys
def wrong_half_sum(keys, a, b, beta):
    return (keys[a] + keys[b]) / 2


# the others follow at a constant distance of 30
def wrong_others_down_slowly(keys, a, b, beta):
    q = 30 * (keys[a] + keys[b])
    return q + beta * sum(keys, sp.zeros(len(keys[0]), 1))


# multiplies the keys entry by entry
def wrong_product(keys, a, b, beta):
    return beta * keys[a].multiply_elementwise(keys[b])


# another result at every fifth call
wrong_state = """
calls = []

def average_two(keys, a, b, beta):
    calls.append(1)
    return beta * (keys[a] + (2 if len(calls) % 5 == 0 else 1) * keys[b])
"""


# the two logits differ by a constant of 1e-6
def wrong_tiny_constant(keys, a, b, beta):
    return beta * keys[a] + (beta + 1e-6) * keys[b]


# adds up all keys, so all values are averaged
def wrong_second_all_keys(keys, a, b, beta):
    q = sp.zeros(keys[0].rows, 1)
    for key in keys:
        q += beta * key
    return q


# always takes keys 0 and 1, whatever a and b are
def wrong_second_first_two(keys, a, b, beta):
    return beta * (keys[0] + keys[1])


# one logit is ahead by a constant 1/50 for every beta
def wrong_second_small_constant_lead(keys, a, b, beta):
    return beta * keys[a] + (beta + sp.Rational(1, 50)) * keys[b]


# the last key is forgotten to be pushed down: it leads with 2 beta when it is neither a nor b
def wrong_last_key(keys, a, b, beta):
    q = beta * (keys[a] + keys[b])
    return q if len(keys) - 1 in (a, b) or len(keys) < 4 else q + beta * keys[-1]


# a symbol of its own
def wrong_fourth_own_symbol(keys, a, b, beta):
    s = sp.Symbol("beta", positive=True)
    return s * (keys[a] + keys[b])


# a lead of 1e-12 for ever
def wrong_fourth_tiny_lead(keys, a, b, beta):
    return beta * keys[a] + (beta + sp.Rational(1, 10**12)) * keys[b]


# the lead comes back to 0 again and again
def wrong_fourth_swings(keys, a, b, beta):
    return beta * sp.cos(beta)**2*(keys[a] + keys[b])


# with more than five keys the others keep up
def wrong_fourth_many_keys(keys, a, b, beta):
    q = beta*(keys[a]+keys[b])
    for i,k in enumerate(keys):
        if i not in (a,b) and i > 4: q += beta*k
    return q


# a scale that swings while it grows
def right_fourth_swinging_scale(keys, a, b, beta):
    return (beta+sp.sin(beta)+sp.cos(2*beta))*(keys[a]+keys[b])


# subtracts key b if it comes before key a
def wrong_seventh_order(keys, a, b, beta):
    return beta * (keys[a] + keys[b]) if a < b else beta * (keys[a] - keys[b])
