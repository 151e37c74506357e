"""Fresh answers to scaling_variance."""


# The second moment of a normal variable from sympy.stats.
def right_by_statistics(d, s, m):
    from sympy.stats import E, Normal

    query, key = Normal("query", 0, 1), Normal("key", m, s)
    variance = d * sp.simplify(E(query**2) * E(key**2))
    return variance, sp.sqrt(variance)


# The modulus of a complex number.
def right_complex_modulus(d, s, m):
    size = sp.Abs(s + sp.I * m)
    return sp.expand(d * size**2), size * sp.sqrt(d)


# s is factored out of the root.
def right_factored_out(d, s, m):
    ratio = m / s
    return d * s**2 * (1 + ratio**2), s * sp.sqrt(d * (1 + ratio**2))


# The root is a power of 0.5.
def right_float_power(d, s, m):
    variance = d * m**2 + d * s**2
    return variance, variance**0.5


# The root is a power of one half, and a list is returned.
def right_half_power(d, s, m):
    variance = d * (s**2 + m**2)
    return [variance, variance ** sp.Rational(1, 2)]


# A named tuple.
right_named_tuple = """
from collections import namedtuple

Scaling = namedtuple("Scaling", "variance divisor")


def scaling_variance(d, s, m):
    return Scaling(divisor=sp.sqrt(d) * sp.sqrt(s * s + m * m), variance=d * s * s + d * m * m)
"""


# A sympy sum over the components, evaluated.
def right_sum_over_components(d, s, m):
    i = sp.Symbol("i", integer=True)
    second_moment = 1 * (s**2 + m**2)
    total = sp.summation(second_moment - (0 * m) ** 2, (i, 1, d))
    return total, sp.sqrt(total)


# A sympy Tuple, simplified.
def right_sympy_tuple(d, s, m):
    v = sp.factor(d * s**2 + d * m**2)
    return sp.Tuple(v, sp.simplify(sp.root(v, 2)))


# expanded, and the root as a product of two roots
def right_second_expanded(d, s, m):
    variance = d * s**2
    variance += d * m**2
    return variance, sp.sqrt(d) * s * sp.sqrt(1 + (m / s) ** 2)


# the formula for a product with all four moments, in a list
def right_second_from_the_formula(d, s, m):
    def variance_of_product(mean_x, var_x, mean_y, var_y):
        return (var_x + mean_x**2) * (var_y + mean_y**2) - (mean_x * mean_y) ** 2

    total = d * variance_of_product(0, 1, m, s**2)
    return [total, total ** sp.Rational(1, 2)]


# The standard deviations are added, so d is squared.
def wrong_d_squared(d, s, m):
    v = d**2 * (s**2 + m**2)
    return v, sp.sqrt(v)


# The divisor is the variance.
def wrong_divides_by_variance(d, s, m):
    v = d * (s**2 + m**2)
    return v, v


# The divisor is √d, as in the paper.
def wrong_divisor_without_key(d, s, m):
    return d * (s**2 + m**2), sp.sqrt(d)


# v * 1 / 2 for the root.
def wrong_half_of(d, s, m):
    v = d * (s**2 + m**2)
    return v, v * 1 / 2


# The number to multiply by.
def wrong_inverse(d, s, m):
    v = d * (s**2 + m**2)
    return v, 1 / sp.sqrt(v)


# math.sqrt cannot take a symbol.
def wrong_math_sqrt(d, s, m):
    v = d * (s**2 + m**2)
    return v, math.sqrt(v)


# E[Y²] = s² + m.
def wrong_mean_not_squared(d, s, m):
    v = d * (s**2 + m)
    return v, sp.sqrt(v)


# The square of the mean is subtracted.
def wrong_minus_mean(d, s, m):
    v = d * (s**2 - m**2)
    return v, sp.sqrt(v)


# The mean of the keys is forgotten.
def wrong_no_mean(d, s, m):
    return d * s**2, sp.sqrt(d) * s


# The divisor first.
def wrong_order(d, s, m):
    v = d * (s**2 + m**2)
    return sp.sqrt(v), v


# Parentheses are missing.
def wrong_parentheses(d, s, m):
    v = d * s**2 + m**2
    return v, sp.sqrt(v)


# The root is taken of d only.
def wrong_root_of_d_times_rest(d, s, m):
    return d * (s**2 + m**2), sp.sqrt(d) * (s**2 + m**2)


# (s + m)² for s² + m².
def wrong_square_of_sum(d, s, m):
    return d * (s + m) ** 2, sp.sqrt(d) * (s + m)


# s is taken for the variance.
def wrong_standard_deviation_not_squared(d, s, m):
    return d * (s + m**2), sp.sqrt(d * (s + m**2))


# takes the standard deviation s for the variance
def wrong_second_deviation_as_variance(d, s, m):
    variance = d * (s + m**2)
    return variance, sp.sqrt(variance)


# forgets the mean of the keys
def wrong_second_mean_ignored(d, s, m):
    return d * s**2, s * sp.sqrt(d)


# divides by the variance itself
def wrong_second_no_root(d, s, m):
    variance = d * (s**2 + m**2)
    return variance, variance


# The negative root.
def wrong_fourth_negative(d, s, m):
    return d * (s**2 + m**2), -sp.sqrt(d * (s**2 + m**2))


# The mean is factored out: the expression has no value at m = 0, which is not asked for.
def right_eighth_mean_factored_out(d, s, m):
    variance = d * m**2 * (1 + (s / m) ** 2)
    return variance, sp.sqrt(variance)


# Subtracts (E[q] E[k])² with E[q] = 1.
def wrong_eighth_subtracts_mean(d, s, m):
    v = d * (s**2 + m**2 - m**2)
    return v, sp.sqrt(v)
