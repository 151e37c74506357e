"""Fresh answers to average_two_rate."""


# a decimal constant
def right_decimals(n, beta):
    return 0.25 * (n - 2) * sp.exp(-beta), 0.25 * (n - 2) * sp.exp(-2 * beta)


# divides by the exponential and returns a list
def right_fraction_of_exponentials(n, beta):
    return [(n - 2) / (4 * sp.exp(beta)), (n - 2) / (4 * sp.exp(beta) ** 2)]


# writes the exponential as cosh - sinh
def right_hyperbolic(n, beta):
    c = (n - 2) / sp.Integer(4)
    return c * (sp.cosh(beta) - sp.sinh(beta)), c * sp.exp(-beta) * sp.exp(-beta)


# lets sympy find the constants as limits
def right_limit(n, beta):
    rates = []
    for rate, others in ((1, 0), (2, -beta)):
        short = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(others))
        x = sp.Symbol("x", positive=True)
        constant = sp.limit(sp.cancel((short * sp.exp(rate * beta)).subs(beta, -sp.log(x))), x, 0)
        rates.append(constant * sp.exp(-rate * beta))
    return tuple(rates)


# a named tuple
right_named_tuple = """
from collections import namedtuple

Rates = namedtuple("Rates", "first second")

def average_two_rate(n, beta):
    c = sp.Rational(n - 2, 4)
    return Rates(first=c * sp.exp(-beta), second=c * sp.exp(-2 * beta))
"""


# sp.E to a power, and one exponential as the square of another
def right_power_of_e(n, beta):
    e = sp.E ** (-beta)
    return e * (n - 2) / 4, (n - 2) * e**2 / 4


# substitutes x = exp(-beta) and takes the first Taylor coefficient
def right_second_derivatives(n, beta):
    x = sp.Symbol("x")
    first = sp.Rational(1, 2) - 1 / (2 + (n - 2) * x)
    second = sp.Rational(1, 2) - 1 / (2 + (n - 2) * x**2)
    one = sp.diff(first, x).subs(x, 0) * sp.exp(-beta)
    two = sp.diff(second, x, 2).subs(x, 0) / 2 * sp.exp(-2 * beta)
    return one, two


# a list instead of a tuple, with powers of exp(beta) below the line
def right_second_list_and_quotients(n, beta):
    rise = sp.exp(beta)
    constant = (sp.sympify(n) - 2) / 4
    return [constant / rise**k for k in (1, 2)]


# forgets that the denominator holds two large exponentials twice
def wrong_constant_half(n, beta):
    return (n - 2) * sp.exp(-beta) / 2, (n - 2) * sp.exp(-2 * beta) / 2


# 2.718 as the base
def wrong_decimal_base(n, beta):
    return (n - 2) / 4 * 2.718 ** (-beta), (n - 2) / 4 * 2.718 ** (-2 * beta)


# returns the exact distance from one half, not its leading order
def wrong_exact(n, beta):
    first = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + n - 2)
    second = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(-beta))
    return first, second


# a second, smaller exponential is left in
def wrong_extra_term(n, beta):
    return (n - 2) * sp.exp(-beta) / 4 - (n - 2) ** 2 * sp.exp(-2 * beta) / 8, (n - 2) * sp.exp(-2 * beta) / 4


# whole-number division
def wrong_floor(n, beta):
    return (n - 2) // 4 * sp.exp(-beta), (n - 2) // 4 * sp.exp(-2 * beta)


# n - 2 written as a table up to 6
def wrong_for_small_n(n, beta):
    c = {3: 1, 4: 2, 5: 3, 6: 4}.get(int(n), 5)
    return c * sp.exp(-beta) / 4, c * sp.exp(-2 * beta) / 4


# n in place of n - 2
def wrong_n(n, beta):
    return n * sp.exp(-beta) / 4, n * sp.exp(-2 * beta) / 4


# the same rate for both
def wrong_same_rate(n, beta):
    return (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-beta) / 4


# the weight minus one half
def wrong_sign(n, beta):
    return -(n - 2) * sp.exp(-beta) / 4, -(n - 2) * sp.exp(-2 * beta) / 4


# the two in the other order
def wrong_swapped(n, beta):
    return (n - 2) * sp.exp(-2 * beta) / 4, (n - 2) * sp.exp(-beta) / 4


# the two results in the wrong order
def wrong_second_exchanged(n, beta):
    c = sp.Rational(1, 4) * (n - 2)
    return c * sp.exp(-2 * beta), c * sp.exp(-beta)


# forgets the factor 1/2 of the expansion
def wrong_second_half_lost(n, beta):
    return (n - 2) * sp.exp(-beta) / 2, (n - 2) * sp.exp(-2 * beta) / 2


# counts n - 1 other keys instead of n - 2
def wrong_second_n_minus_one(n, beta):
    return (n - 1) * sp.exp(-beta) / 4, (n - 1) * sp.exp(-2 * beta) / 4


# the second from the first
def right_sub(n, beta):
    first = sp.Integer(n - 2) / 4 * sp.exp(-beta)
    return sp.Tuple(first, first.subs(beta, 2 * beta))


# n - 3 others
def wrong_n3others(n, beta):
    return (n - 3) * sp.exp(-beta) / 4, (n - 3) * sp.exp(-2 * beta) / 4


# a symbol of its own
def wrong_fourth_own_symbol(n, beta):
    b = sp.Symbol("beta", positive=True)
    return (n-2)*sp.exp(-b)/4, (n-2)*sp.exp(-2*b)/4


# n in place of n − 2 from 50 on
def wrong_fourth_from_fifty(n, beta):
    k = n-2 if n < 50 else n
    return k*sp.exp(-beta)/4, k*sp.exp(-2*beta)/4


# a constant that is off by four parts in 10^8
def wrong_fourth_constant_nearly(n, beta):
    return (sp.Rational(1,4)+sp.Rational(1,10**8))*(n-2)*sp.exp(-beta), (n-2)*sp.exp(-2*beta)/4


# a matrix of two entries
def right_fourth_matrix(n, beta):
    return sp.Matrix([(n-2)*sp.exp(-beta)/4, (n-2)*sp.exp(-2*beta)/4])


# powers of 2 in place of e
def wrong_fifth_base_two(n, beta):
    return (n - 2) * 2.0 ** (-beta) / 4, (n - 2) * 4.0 ** (-beta) / 4


# // on the whole expression
def wrong_seventh_floor(n, beta):
    return (n - 2) * sp.exp(-beta) // 4, (n - 2) * sp.exp(-2 * beta) / 4
