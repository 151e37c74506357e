"""Fresh answers to key_query."""


# a single row: animal has a positive query, it a negative one
def right_difference(u_a, u_b, u_c, u_d, beta):
    return (u_d - u_a).T, (u_c - u_d).T


# the keys are the tokens, and only the queries are made
def right_identity_keys(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**2
    return W_Q, sp.eye(len(u_a))


# the queries are the tokens, and only the keys are made, as a list
def right_identity_queries(u_a, u_b, u_c, u_d, beta):
    W_K = (u_d * u_c.T + u_a * u_d.T) / beta
    return [sp.eye(len(u_a)), W_K]


# a named tuple with decimals
right_named = """
from collections import namedtuple

Pair = namedtuple("Pair", "W_Q W_K")

def key_query(u_a, u_b, u_c, u_d, beta):
    q = 0.5 * (u_c * u_d.T + u_d * u_a.T)
    k = 0.5 * (u_c * u_c.T + u_d * u_d.T)
    return Pair(q, k)
"""


# a third matrix: it attends to itself, with a value matrix that gives it u_b
def right_own_values(u_a, u_b, u_c, u_d, beta):
    W_V = (u_b * u_a.T + u_b * u_b.T - u_c * u_c.T) / beta**2
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T)
    W_K = sp.Matrix.vstack(u_c.T, u_a.T)
    return W_Q, W_K, W_V


# logits that grow like the logarithm of beta, but fast enough
def right_slow(u_a, u_b, u_c, u_d, beta):
    W_Q = sp.log(1 + beta) * sp.Matrix.vstack(u_d.T, u_a.T) / beta**2
    W_K = sp.Matrix.vstack(u_c.T, u_d.T) / beta**2 * 5
    return W_Q, W_K


# one matrix for both, with keys of different lengths
def right_symmetric(u_a, u_b, u_c, u_d, beta):
    keys = (sp.Matrix([2, 0]), sp.Matrix([1, sp.Rational(1, 2)]), sp.Matrix([3, -4]))
    W = (keys[0] * u_d.T + keys[1] * u_a.T + keys[2] * u_c.T) / beta
    return W, W


# two rows only: queries and keys of two numbers
def right_two_rows(u_a, u_b, u_c, u_d, beta):
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T) / beta
    W_K = sp.Matrix.vstack(u_c.T, u_d.T) / beta
    return W_Q, W_K


# keys are the tokens, it attends to itself, and a third matrix gives it the value u_b
def right_second_own_value_for_it(u_a, u_b, u_c, u_d, beta):
    square = beta**2
    W_Q = 3 * (u_c * u_d.T + u_a * u_a.T) / square
    W_K = sp.eye(u_a.rows)
    W_V = (u_b * u_b.T - u_c * u_c.T + u_b * u_a.T) / square
    return W_Q, W_K, W_V


# matrices of shape (2, d), one row for each of the two keys
def right_second_two_rows(u_a, u_b, u_c, u_d, beta):
    W_K = sp.Matrix.vstack(u_c.T, u_d.T)
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T)
    return W_Q, W_K


# the two matrices have different numbers of rows
def wrong_different_rows(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_c.T, u_d.T, u_b.T)


# queries and keys exchanged
def wrong_exchanged(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_c.T + u_d * u_d.T) / beta**2
    W_K = (u_c * u_d.T + u_d * u_a.T) / beta**2
    return W_Q, W_K


# the key is the noun feature, which two tokens have
def wrong_noun_key(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_b.T, u_b.T)


# the query of it is 0
def wrong_only_animal(u_a, u_b, u_c, u_d, beta):
    return u_c * u_d.T / beta**2, u_c * u_c.T / beta**2


# the keys first
def wrong_order(u_a, u_b, u_c, u_d, beta):
    W_Q, W_K = sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_c.T, u_d.T)
    return W_K, W_Q


# returns a third matrix that is all zeros
def wrong_own_values_zero(u_a, u_b, u_c, u_d, beta):
    W_Q, W_K = sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_c.T, u_d.T)
    return W_Q, W_K, sp.zeros(len(u_a), len(u_a))


# returns the product only
def wrong_product(u_a, u_b, u_c, u_d, beta):
    return (u_d * u_c.T + u_a * u_d.T) / beta**2


# the transposed matrices, as in code with tokens as rows
def wrong_rows_for_code(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**2
    W_K = (u_c * u_c.T + u_d * u_d.T) / beta**2
    return W_Q.T, W_K.T


# matrices of numbers for the standard basis
def wrong_standard_basis(u_a, u_b, u_c, u_d, beta):
    n = len(u_a)
    W_Q, W_K = sp.zeros(n, n), sp.zeros(n, n)
    W_Q[2, 3] = W_Q[3, 0] = W_K[2, 2] = W_K[3, 3] = 1
    return W_Q, W_K


# the logits do not grow with beta
def wrong_too_small(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T) / beta**2, 20 * sp.Matrix.vstack(u_c.T, u_d.T) / beta**2


# animal attends to itself and it to street
def wrong_wrong_tokens(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_d.T, u_c.T)


# from and to are exchanged in the query matrix
def wrong_second_from_and_to(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_d * u_c.T + u_a * u_d.T) / beta**2
    W_K = (u_c * u_c.T + u_d * u_d.T) / beta**2
    return W_Q, W_K


# it looks for a noun, and both animal and street are nouns
def wrong_second_noun_as_key(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_b * u_a.T) / beta**2
    W_K = (u_b * u_b.T + u_c * u_c.T) / beta**2
    return W_Q, W_K


# divides once too often, so the logits do not grow
def wrong_second_too_small(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**3
    W_K = (u_c * u_c.T + u_d * u_d.T) / beta**3
    return W_Q, W_K


# a symbol of its own
def wrong_fourth_own_symbol(u_a, u_b, u_c, u_d, beta):
    b = sp.Symbol("beta", positive=True)
    return (u_c * u_d.T + u_d * u_a.T) / b**2, (u_d * u_d.T + u_c * u_c.T) / b**2


# the margins come back to 0 again and again
def wrong_fourth_swings(u_a, u_b, u_c, u_d, beta):
    return (1+sp.cos(beta))*(u_c * u_d.T + u_d * u_a.T) / beta**2, (u_d * u_d.T + u_c * u_c.T) / beta**2


# a scale that swings between two numbers above 0
def right_fourth_swinging_scale(u_a, u_b, u_c, u_d, beta):
    return (2+sp.sin(beta))*(u_c * u_d.T + u_d * u_a.T), (u_d * u_d.T + u_c * u_c.T)


# the tokens themselves as keys and queries
def right_seventh_tokens(u_a, u_b, u_c, u_d, beta):
    x0, x1, x2 = u_d + u_b, u_a, u_c + u_b
    return sp.Matrix.vstack(x0.T, x1.T), sp.Matrix.vstack(x2.T, x0.T)
