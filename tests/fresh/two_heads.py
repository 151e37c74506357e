"""Fresh answers to two_heads."""


# a tuple made by a comprehension
def right_comprehension(mu_a, mu_b, beta):
    return tuple(sp.exp(beta) * mu for mu in (mu_a, mu_b))


# decimal factors
def right_decimals(mu_a, mu_b, beta):
    return 0.1 * beta * mu_a, 3.7 * beta * mu_b


# different growth in the two heads, as a named tuple
right_different_scales = """
from collections import namedtuple

Heads = namedtuple("Heads", "q0 q1")

def two_heads(mu_a, mu_b, beta):
    return Heads(beta**2 * mu_a, sp.log(beta + 2) * mu_b)
"""


# each head copies by pushing the other word away, too
def right_exclude(mu_a, mu_b, beta):
    return beta * mu_a - beta**2 * mu_b, beta * mu_b - beta * mu_a


# copies a by a square, with a part along mu_b that grows more slowly
def right_squares_and_b(mu_a, mu_b, beta):
    return beta**2 * mu_a + beta * mu_b, -(beta**2) * mu_a + beta * mu_b


# the other order
def right_swapped(mu_a, mu_b, beta):
    return [beta * mu_b, beta * mu_a]


# head 0 copies b and pushes a away, head 1 copies a and pushes b away
def right_second_exchanged_and_pushing(mu_a, mu_b, beta):
    q_0 = beta * mu_b - 3 * beta * mu_a
    q_1 = beta * mu_a - beta**2 * mu_b
    return q_0, q_1


# a list, one head grows like a logarithm, the other like an exponential
def right_second_log_list(mu_a, mu_b, beta):
    scales = (sp.log(1 + beta), sp.exp(beta))
    return [scale * mu for scale, mu in zip(scales, (mu_a, mu_b))]


# head 0 has a small part along mu_b, which wins for a short key
def wrong_b_in_first(mu_a, mu_b, beta):
    return beta * mu_a + beta / 1000 * mu_b, beta * mu_b


# a bounded second query
def wrong_bounded(mu_a, mu_b, beta):
    return beta * mu_a, 50 * sp.tanh(beta) * mu_b


# a dictionary
def wrong_dict(mu_a, mu_b, beta):
    return {"q0": beta * mu_a, "q1": beta * mu_b}


# one matrix of two columns
def wrong_matrix(mu_a, mu_b, beta):
    return beta * sp.Matrix.hstack(mu_a, mu_b)


# the second query is negative
def wrong_negative(mu_a, mu_b, beta):
    return beta * mu_a, -beta * mu_b


# numbers in place of beta
def wrong_no_beta(mu_a, mu_b, beta):
    return 1000 * mu_a, 1000 * mu_b


# the averaging query twice
def wrong_one_head_twice(mu_a, mu_b, beta):
    q = beta * (mu_a + mu_b)
    return q, q


# both heads copy a
def wrong_same_copy(mu_a, mu_b, beta):
    return beta * mu_a, 2 * beta * mu_a


# the averaging query at two scales, right at length 1 only
def wrong_two_scales(mu_a, mu_b, beta):
    return beta * (mu_a + mu_b), beta * (mu_a + mu_b) / 2


# head 1 has a small part along mu_a, which wins for a long key
def wrong_weak_push(mu_a, mu_b, beta):
    return beta * mu_a, beta * mu_b + beta / 10 * mu_a


# head 0 also takes half of b, so it fails for lengths below one half
def wrong_second_other_half(mu_a, mu_b, beta):
    return beta * mu_a + beta * mu_b / 2, beta * mu_b


# both heads get the query of the single head
def wrong_second_same_query(mu_a, mu_b, beta):
    q = beta * (mu_a + mu_b)
    return q, q


# head 1 has a tenth of a in its query, so it fails for lengths above ten
def wrong_second_small_pull(mu_a, mu_b, beta):
    return beta * mu_a, beta * (mu_b + mu_a / 10)


# head 1 subtracts a thousand times key a
def right_thousand(mu_a, mu_b, beta):
    return sp.Tuple(beta * mu_a / 1000, beta * (mu_b - 1000 * mu_a))


# a symbol of its own
def wrong_fourth_own_symbol(mu_a, mu_b, beta):
    s = sp.Symbol("beta", positive=True)
    return s * mu_a, s*mu_b


# a part of 1e-12 along the other mean: wins for a key that is long enough
def wrong_fourth_tiny_part(mu_a, mu_b, beta):
    return beta*mu_a, beta*(mu_b+mu_a/10**12)


# a tiny part along the other mean that swings
def wrong_fourth_swings(mu_a, mu_b, beta):
    return beta*mu_a, beta*(mu_b+sp.sin(beta)*mu_a/10**10)


# parts along the other mean that grow more slowly
def right_fourth_slower_part(mu_a, mu_b, beta):
    return beta**2*mu_a + sp.sqrt(beta)*mu_b, beta*mu_b + 3*mu_a


# each head turns away from the other's mean, twice
def right_seventh_away(mu_a, mu_b, beta):
    return beta * (mu_a - 2 * mu_b), beta * (mu_b - 2 * mu_a)
