"""Fresh answers to add_and_see."""


# picks the token with the largest logit
def right_by_logits(u_a, u_b, u_c, u_d):
    found = []
    for extra in (u_d, u_c):
        tokens = [u_d + u_b, u_a + extra, u_c + u_b]
        found.append(max(tokens, key=lambda x: x.dot(tokens[1]).subs(beta, 3)))
    return found


# decimal coefficients
def right_decimals(u_a, u_b, u_c, u_d):
    return 1.0 * u_a + 1.0 * u_d, 1.0 * u_a + 1.0 * u_c


# a list, the second one written in another order
def right_list(u_a, u_b, u_c, u_d):
    return [u_a + u_d, u_c + u_a]


# tuple of a map
def right_map(u_a, u_b, u_c, u_d):
    return tuple(map(lambda u: u + u_a, (u_d, u_c)))


# a named tuple
right_named = """
from collections import namedtuple

Limits = namedtuple("Limits", "with_d with_c")

def add_and_see(u_a, u_b, u_c, u_d):
    return Limits(with_c=u_a + u_c, with_d=u_a + u_d)
"""


# a list made by a loop over the two added features
def right_second_loop_list(u_a, u_b, u_c, u_d):
    limits = []
    for added in (u_d, u_c):
        token = u_a.copy()
        token += added
        limits.append(token)
    return limits


# one matrix product, and the two columns of the result
def right_second_matrix_of_coefficients(u_a, u_b, u_c, u_d):
    features = sp.Matrix.hstack(u_a, u_b, u_c, u_d)
    both = features * sp.Matrix([[1, 1], [0, 0], [0, 1], [1, 0]])
    return both.col(0), both[:, 1]


# copies the other token
def wrong_animal(u_a, u_b, u_c, u_d):
    return u_d + u_b, u_c + u_b


# adds u_c to the token that already has u_d
def wrong_both_added(u_a, u_b, u_c, u_d):
    return u_a + u_d, u_a + u_d + u_c


# a dictionary
def wrong_dict(u_a, u_b, u_c, u_d):
    return {"u_d": u_a + u_d, "u_c": u_a + u_c}


# a matrix of two columns
def wrong_extra_number(u_a, u_b, u_c, u_d):
    return sp.Matrix.hstack(u_a + u_d, u_a + u_c)


# half of the old and the other token
def wrong_half(u_a, u_b, u_c, u_d):
    return (u_a + u_d + u_b) / 2, (u_a + u_c + u_b) / 2


# adds to the caller's u_a in place
def wrong_in_place(u_a, u_b, u_c, u_d):
    for i in range(len(u_a)):
        u_a[i] += u_d[i]
    first = u_a
    for i in range(len(u_a)):
        u_a[i] += u_c[i] - u_d[i]
    return first, u_a


# the old token
def wrong_old_token(u_a, u_b, u_c, u_d):
    return u_a, u_a


# only one limit
def wrong_only_first(u_a, u_b, u_c, u_d):
    return u_a + u_d


# the other order
def wrong_order(u_a, u_b, u_c, u_d):
    return u_a + u_c, u_a + u_d


# the outputs with their weights
def wrong_outputs(u_a, u_b, u_c, u_d):
    one = sp.eye(len(u_a))
    return tuple(self_attention([u_d + u_b, u_a + u, u_c + u_b], one, one, one)[1] for u in (u_d, u_c))


# the wanted u_b
def wrong_sum_all(u_a, u_b, u_c, u_d):
    return u_b, u_b


# thinks that the new overlap makes it attend to animal or street
def wrong_second_attends_to_the_noun(u_a, u_b, u_c, u_d):
    return u_d + u_b, u_c + u_b


# the two limits in the wrong order
def wrong_second_exchanged(u_a, u_b, u_c, u_d):
    return u_a + u_c, u_a + u_d


# forgets that the changed token is also the value
def wrong_second_old_value(u_a, u_b, u_c, u_d):
    return u_a, u_a


# six entries at most
def wrong_fourth_six_entries(u_a, u_b, u_c, u_d):
    def cut(v):
        q = sp.zeros(*u_a.shape)
        for i in range(min(6, len(q))): q[i] = v[i]
        return q
    return cut(u_a+u_d), cut(u_a+u_c)


# the first limit is written into u_a itself
def wrong_fifth_in_place(u_a, u_b, u_c, u_d):
    first = u_a
    for i in range(first.rows):
        first[i] += u_d[i]
    return first, u_a + u_c


# Writes into the caller's u_a, so both limits are the same changed column.
def wrong_seventh_in_place(u_a, u_b, u_c, u_d):
    limits = []
    for added in (u_d, u_c):
        u_a[:, 0] = u_a + added
        limits.append(u_a)
    return tuple(limits)
