"""Fresh answers to robust_query."""


# the two coefficients differ by exp(-beta)
def right_difference_vanishes(mu_a, mu_b, beta):
    return beta * mu_a + (beta + sp.exp(-beta)) * mu_b


# entry by entry, in a list
def right_entrywise(mu_a, mu_b, beta):
    return sp.Matrix([beta * (x + y) for x, y in zip(mu_a, mu_b)])


# a matrix of the two means times a vector of ones
def right_hstack(mu_a, mu_b, beta):
    return sp.Matrix.hstack(mu_a, mu_b) * sp.ones(2, 1) * sp.log(beta + 1)


# an immutable, unevaluated-looking form with a decimal
def right_immutable(mu_a, mu_b, beta):
    return (2.5 * sp.sqrt(beta) * (mu_a + mu_b)).as_immutable()


# the direction is normalised, and the length is 10 beta
def right_normalised(mu_a, mu_b, beta):
    s = mu_a + mu_b
    return 10 * beta * s / s.norm()


# grows like beta squared
def right_square(mu_a, mu_b, beta):
    return beta**2 * mu_a + beta**2 * mu_b


# grows only like a logarithm, built entry by entry
def right_second_log_by_entries(mu_a, mu_b, beta):
    scale = sp.log(beta + 1)
    return sp.Matrix([scale * x + scale * y for x, y in zip(mu_a, mu_b)])


# grows like beta squared, with a difference that tends to 0
def right_second_square_and_vanishing(mu_a, mu_b, beta):
    q = beta**2 * (mu_a + mu_b)
    q = q - mu_b * sp.exp(-beta)
    return q


# the two logits differ by 0.01
def wrong_constant_difference(mu_a, mu_b, beta):
    return beta * mu_a + (beta - sp.Rational(1, 100)) * mu_b


# the difference
def wrong_difference(mu_a, mu_b, beta):
    return beta * (mu_a - mu_b)


# divides by beta
def wrong_divided(mu_a, mu_b, beta):
    return (mu_a + mu_b) / beta


# the average of a copy and nothing: b has half the coefficient
def wrong_half(mu_a, mu_b, beta):
    return beta * (mu_a + mu_b / 2)


# a large number in place of beta
def wrong_no_beta(mu_a, mu_b, beta):
    return 1000 * (mu_a + mu_b)


# copies value a
def wrong_only_a(mu_a, mu_b, beta):
    return beta * mu_a


# adds a part along all axes, where other keys may be
def wrong_other_means(mu_a, mu_b, beta):
    return beta * sp.ones(len(mu_a), 1)


# the first two unit vectors
def wrong_own_basis(mu_a, mu_b, beta):
    q = sp.zeros(len(mu_a), 1)
    q[0] = q[1] = beta
    return q


# divides by sigma, a symbol of its own
def wrong_uses_sigma(mu_a, mu_b, beta):
    sigma = sp.Symbol("sigma", positive=True)
    return beta / sigma * (mu_a + mu_b)


# the difference of the means instead of the sum
def wrong_second_difference(mu_a, mu_b, beta):
    return beta * (mu_a - mu_b)


# puts beta into the first two entries: right for the standard basis only
def wrong_second_first_axes(mu_a, mu_b, beta):
    q = sp.zeros(len(mu_a), 1)
    q[0] = q[1] = beta
    return q


# the scale tends to 12 and stops there
def wrong_second_saturates(mu_a, mu_b, beta):
    return 12 * beta / (beta + 1) * (mu_a + mu_b)


# a symbol of its own
def wrong_fourth_own_symbol(mu_a, mu_b, beta):
    s = sp.Symbol("beta", positive=True)
    return s * (mu_a+mu_b)


# six entries at most
def wrong_fourth_six_entries(mu_a, mu_b, beta):
    q = sp.zeros(*mu_a.shape)
    for i in range(min(6, len(mu_a))): q[i] = beta*(mu_a[i]+mu_b[i])
    return q


# the lead comes back to 0 again and again
def wrong_fourth_swings(mu_a, mu_b, beta):
    return beta*(1+sp.cos(beta))*(mu_a+mu_b)


# divided by the largest entry, which may be 0
def wrong_seventh_largest_entry(mu_a, mu_b, beta):
    total = mu_a + mu_b
    return beta * total / max(total)
