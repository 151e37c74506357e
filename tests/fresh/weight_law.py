"""Fresh answers to weight_law."""


# the logit as an inverse hyperbolic tangent
def right_atanh(w, beta):
    return (1 + sp.erf(2 * sp.atanh(2 * w - 1) / beta)) / 2


# decimal halves and a computed deviation
def right_decimals(w, beta):
    s = math.sqrt(0.5)
    bound = 1 + sp.log(w / (1 - w)) / beta
    return 0.5 * (1 + sp.erf((bound - 1) / (s * math.sqrt(2))))


# erfc of the negative argument
def right_erfc(w, beta):
    return sp.erfc(-(sp.log(w) - sp.log(1 - w)) / beta) / 2


# an integral of the density that is not carried out
def right_integral(w, beta):
    x = sp.Symbol("x", real=True)
    return sp.Integral(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 1 + sp.log(w / (1 - w)) / beta))


# one half plus an integral from the mean on
def right_integral_from_one(w, beta):
    t = sp.symbols("t")
    return sp.Rational(1, 2) + sp.Integral(sp.exp(-t**2), (t, 0, sp.log(w / (1 - w)) / beta)) / sp.sqrt(sp.pi)


# lets sympy solve for the bound
def right_solve(w, beta):
    e = sp.Symbol("e", positive=True)
    ratio = sp.solve(sp.Eq(e / (1 + e), w), e)[0]
    return (1 + sp.erf(sp.log(ratio) / beta)) / 2


# the distribution function of sympy.stats for the difference
right_stats_cdf = """
from sympy.stats import Normal, cdf

def weight_law(w, beta):
    D = Normal("D", 0, beta * sp.sqrt(sp.Rational(1, 2)))
    return cdf(D)(sp.log(w / (1 - w)))
"""


# 1 minus the same formula for 1 - w
def right_symmetric(w, beta):
    return 1 - (1 + sp.erf(sp.log((1 - w) / w) / beta)) / 2


# with erfc and the logarithm turned round
def right_second_erfc(w, beta):
    return sp.erfc(sp.log(1 / w - 1) / beta) / 2


# an integral over the difference of the logits, which has the variance beta^2 / 2
def right_second_integral_of_difference(w, beta):
    D = sp.Symbol("D", real=True)
    density = sp.exp(-(D**2) / beta**2) / (beta * sp.sqrt(sp.pi))
    return sp.Integral(density, (D, -sp.oo, sp.log(w) - sp.log(1 - w)))


# the probability of a weight above w
def wrong_above(w, beta):
    return (1 - sp.erf(sp.log(w / (1 - w)) / beta)) / 2


# compares logit a with 0 and not with logit b
def wrong_against_zero(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / beta - 1)) / 2


# keeps beta = 4 from the example
def wrong_at_beta_four(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / 4)) / 2


# takes 1/2 for the standard deviation
def wrong_deviation(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / (beta * sp.sqrt(2) / 2))) / 2


# forgets to subtract the mean of epsilon
def wrong_fixed_key_b(w, beta):
    return (1 + sp.erf(1 + sp.log(w / (1 - w)) / beta)) / 2


# forgets the 1
def wrong_half_missing(w, beta):
    return sp.erf(sp.log(w / (1 - w)) / beta) / 2


# forgets 1 - w
def wrong_log_w(w, beta):
    return (1 + sp.erf(sp.log(w) / beta)) / 2


# the logistic function in place of erf
def wrong_logistic(w, beta):
    return 1 / (1 + sp.exp(-sp.log(w / (1 - w)) * 2 / (sp.sqrt(sp.pi) * beta)))


# a number for the example
def wrong_number(w, beta):
    return 0.781


# multiplies by beta
def wrong_times_beta(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) * beta)) / 2


# both keys vary
def wrong_two_variances(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / (beta * sp.sqrt(2)))) / 2


# forgets that key b has the logit beta, so the bound is without the 1
def wrong_second_mean_forgotten(w, beta):
    bound = sp.log(w / (1 - w)) / beta
    return (1 + sp.erf(bound - 1)) / 2


# the probability of a weight above w
def wrong_second_upper_tail(w, beta):
    return (1 - sp.erf(sp.log(w / (1 - w)) / beta)) / 2


# takes the variance 1/2 for the standard deviation
def wrong_second_variance_as_deviation(w, beta):
    bound = 1 + sp.log(w / (1 - w)) / beta
    return (1 + sp.erf((bound - 1) / (sp.Rational(1, 2) * sp.sqrt(2)))) / 2


# beta is at most 10
def wrong_at_most_ten(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / sp.Min(beta, 10))) / 2


# weights near 0 and 1 are cut
def wrong_cut_weights(w, beta):
    x = sp.Max(sp.Rational(1, 1000), sp.Min(sp.Rational(999, 1000), w))
    return (1 + sp.erf(sp.log(x / (1 - x)) / beta)) / 2


# a symbol of its own
def wrong_fourth_own_symbol(w, beta):
    b = sp.Symbol("beta", positive=True)
    return (1 + sp.erf(sp.log(w / (1 - w)) / b)) / 2


# 0 where w is one half
def wrong_fourth_not_at_one_half(w, beta):
    inside = (1 + sp.erf(sp.log(w / (1 - w)) / beta)) / 2
    return sp.Piecewise((inside, w < sp.Rational(1,2)), (inside, w > sp.Rational(1,2)), (0, True))


# beta is at least a tenth
def wrong_fourth_beta_at_least(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / sp.Max(beta, sp.Rational(1,10)))) / 2


# a factor that is not evaluated
def right_fourth_not_evaluated(w, beta):
    return sp.UnevaluatedExpr(sp.Rational(1, 2)) * (1 + sp.erf(sp.log(w / (1 - w)) / beta))
