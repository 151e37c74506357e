"""Further right answers to key_query, kin to those of its key: each a pair Q, K of shape (r, d)."""

import sympy as sp


def keys_are_the_tokens(u_a, u_b, u_c, u_d, beta):
    """K is the identity, and the queries do everything."""
    return u_d * u_a.T + u_c * u_d.T, sp.eye(len(u_a))


def a_slow_scale(u_a, u_b, u_c, u_d, beta):
    """The margins grow like log β; half of u_c and u_d pushes the wrong key down."""
    Q = sp.log(1 + beta) * ((2 * u_c - u_d) * u_d.T + (2 * u_d - u_c) * u_a.T) / beta**3
    K = (u_d * u_d.T + u_c * u_c.T) / beta**3
    return Q, K


def in_decimals(u_a, u_b, u_c, u_d, beta):
    """Decimal numbers."""
    return 0.7 * u_c * u_d.T + 0.7 * u_d * u_a.T, 0.1 * u_d * u_d.T + 0.1 * u_c * u_c.T + 0.3 * u_a * u_a.T


def a_symmetric_table(u_a, u_b, u_c, u_d, beta):
    """Tokens 1 and 3 like each other best, 1 and 2 next: exchanging Q and K changes nothing."""
    return 2 * (u_d * u_c.T + u_c * u_d.T) + u_d * u_a.T + u_a * u_d.T, sp.eye(len(u_a))


def one_matrix_for_both(u_a, u_b, u_c, u_d, beta):
    """K = Q, with keys (2, 0), (1, ½) and (3, −4):
    a longer key is found by those who would find themselves.
    """
    K = sp.Matrix.vstack((2 * u_d + u_a + 3 * u_c).T, (u_a / 2 - 4 * u_c).T) / beta
    return K, K


MORE = (keys_are_the_tokens, a_slow_scale, in_decimals, a_symmetric_table, one_matrix_for_both)
