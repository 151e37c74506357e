"""Fresh answers to value_matrix."""


# an immutable, simplified matrix
def right_immutable_simplified(u_a, u_b, u_c, u_d, beta):
    unit = [u / u.norm() for u in (u_b, u_c, u_d)]
    W = unit[0] * unit[2].T + (unit[0] - unit[1]) * unit[1].T
    return sp.ImmutableMatrix(sp.simplify(W))


# Kronecker products
def right_kronecker(u_a, u_b, u_c, u_d, beta):
    from sympy import kronecker_product as kron
    return kron(u_b, u_b.T) / beta**2 - kron(u_c, u_c.T) / beta**2


# entry by entry
def right_loops(u_a, u_b, u_c, u_d, beta):
    d = len(u_a)
    W = sp.zeros(d, d)
    for i in range(d):
        for j in range(d):
            W[i, j] = (u_b[i] * u_b[j] - u_c[i] * u_c[j]) / beta**2
    return W


# two outer products
def right_outer(u_a, u_b, u_c, u_d, beta):
    return (u_b * u_d.T + (u_b - u_c) * u_c.T) / beta**2


# another value of it, and decimal factors
def right_own_it(u_a, u_b, u_c, u_d, beta):
    return (1.0 * u_b * u_d.T + (u_b - u_c) * u_c.T + 0.5 * u_d * u_a.T) / (u_a.T * u_a)[0]


# the pseudo-inverse of the two tokens
def right_pinv(u_a, u_b, u_c, u_d, beta):
    X = sp.Matrix.hstack(u_d + u_b, u_c + u_b)
    return sp.Matrix.hstack(u_b, u_b - u_c) * (X.T * X).inv() * X.T


# the noun feature for both, minus the place for street
def right_u_b_and_correction(u_a, u_b, u_c, u_d, beta):
    return u_b * u_b.T / beta**2 - u_c * u_c.T / beta**2


# targets times the pseudo-inverse of the two tokens
def right_second_pseudo_inverse(u_a, u_b, u_c, u_d, beta):
    tokens = sp.Matrix.hstack(u_d + u_b, u_c + u_b)
    targets = sp.Matrix.hstack(u_b, u_b - u_c)
    return (targets * (tokens.T * tokens).inv() * tokens.T).applyfunc(sp.simplify)


# treats every feature separately and also keeps everything outside the four features
def right_second_with_rest(u_a, u_b, u_c, u_d, beta):
    def project(out, into):
        return out * into.T / beta**2

    W = sp.eye(len(u_a))
    for u in (u_a, u_b, u_c, u_d):
        W = W - project(u, u)
    W = W + project(5 * u_d, u_a)  # the value of it may be anything
    return W + project(u_b, u_d) + project(u_b - u_c, u_c)


# each token counts its noun part as well
def wrong_both_parts(u_a, u_b, u_c, u_d, beta):
    return (u_b * (u_d + u_b).T + (u_b - u_c) * (u_c + u_b).T) / beta**2


# divides by beta once
def wrong_divide_beta(u_a, u_b, u_c, u_d, beta):
    return (u_b * u_b.T - u_c * u_c.T) / beta


# divides by the squared length of a token
def wrong_half_tokens(u_a, u_b, u_c, u_d, beta):
    x0, x2 = u_d + u_b, u_c + u_b
    return (u_b * x0.T + (u_b - u_c) * x2.T) / (2 * beta**2)


# right only in the limit
def wrong_limit(u_a, u_b, u_c, u_d, beta):
    return (u_b * u_b.T - u_c * u_c.T) / (beta**2 + 1)


# does not divide by beta squared
def wrong_no_beta(u_a, u_b, u_c, u_d, beta):
    return u_b * u_d.T + (u_b - u_c) * u_c.T


# maps to the four features only
def wrong_rectangular(u_a, u_b, u_c, u_d, beta):
    U = sp.Matrix.hstack(u_a, u_b, u_c, u_d)
    return sp.diag(0, 1, -1, 0) * U.T / beta**2


# plus the place
def wrong_sign(u_a, u_b, u_c, u_d, beta):
    return (u_b * u_b.T + u_c * u_c.T) / beta**2


# entries for the standard basis, in the upper corner
def wrong_standard_basis(u_a, u_b, u_c, u_d, beta):
    W = sp.zeros(len(u_a), len(u_a))
    W[1, 1], W[2, 2] = 1, -1
    return W


# the two values exchanged
def wrong_swapped(u_a, u_b, u_c, u_d, beta):
    return ((u_b - u_c) * u_d.T + u_b * u_c.T) / beta**2


# the outer product the wrong way round
def wrong_transposed(u_a, u_b, u_c, u_d, beta):
    return (u_d * u_b.T + u_c * (u_b - u_c).T) / beta**2


# outer products without the division by beta squared
def wrong_second_beta_forgotten(u_a, u_b, u_c, u_d, beta):
    return u_b * u_b.T - u_c * u_c.T


# a fixed diagonal: right for the standard basis in four dimensions only
def wrong_second_standard_basis(u_a, u_b, u_c, u_d, beta):
    return sp.diag(0, 1, -1, 0)


# the outer products the wrong way round
def wrong_second_transposed(u_a, u_b, u_c, u_d, beta):
    return (u_d * u_b.T + u_c * (u_b - u_c).T) / beta**2


# a symbol of its own
def wrong_fourth_own_symbol(u_a, u_b, u_c, u_d, beta):
    b = sp.Symbol("beta", positive=True)
    return (u_b * u_b.T - u_c * u_c.T) / b**2


# beta is at most 100,000
def wrong_fourth_beta_at_most(u_a, u_b, u_c, u_d, beta):
    return (u_b * u_b.T - u_c * u_c.T) / sp.Min(beta, 10**5)**2


# rounded to five digits
def wrong_seventh_five_digits(u_a, u_b, u_c, u_d, beta):
    return ((u_b * u_b.T - u_c * u_c.T) / beta**2).evalf(5)
