"""Fresh answers to two_head_failure."""


# erfc of 1
def right_erfc():
    return sp.erfc(1) / 2


# thirty digits of a sympy number
def right_evalf():
    return ((1 - sp.erf(1)) / 2).evalf(30)


# a float with all digits
def right_float():
    return math.erfc(1) / 2


# an integral that is not carried out
def right_integral():
    x = sp.Symbol("x", real=True)
    return sp.Integral(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 0))


# a numpy scalar
def right_numpy_float():
    return np.float64(0.5) * (1 + np.float64(math.erf(-1)))


# the standard library's normal distribution
right_statistics = """
from statistics import NormalDist

def two_head_failure():
    return NormalDist(1, math.sqrt(0.5)).cdf(0)
"""


# the distribution function of sympy.stats
right_stats_probability = """
from sympy.stats import Normal, cdf

def two_head_failure():
    return cdf(Normal("epsilon", 1, 1 / sp.sqrt(2)))(0)
"""


# a torch number in float64
def right_torch():
    return torch.distributions.Normal(torch.tensor(1.0, dtype=torch.float64), math.sqrt(0.5)).cdf(torch.tensor(0.0, dtype=torch.float64))


# the normal distribution of the standard library
def right_second_statistics_module():
    from statistics import NormalDist

    return NormalDist(mu=1, sigma=math.sqrt(0.5)).cdf(0)


# the integral of the density below 0, done by sympy
def right_second_sympy_integral():
    x = sp.Symbol("x", real=True)
    return sp.integrate(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 0))


# head 0 must beat key b with its logit beta
def wrong_below_one():
    return sp.Rational(1, 2)


# counted in a simulation
def wrong_counted():
    torch.manual_seed(0)
    epsilon = 1 + math.sqrt(0.5) * torch.randn(1_000_000)
    return float((epsilon < 0).double().mean())


# one half as the standard deviation
wrong_deviation = """
def two_head_failure():
    return NormalDist_cdf(2.0)

def NormalDist_cdf(z):
    return (1 - math.erf(z / math.sqrt(2))) / 2
"""


# computed in float32
def wrong_float32():
    return float(torch.erfc(torch.tensor(1.0)) / 2)


# a crude sum in place of the integral
def wrong_numeric_sum():
    step = 1e-3
    return sum(math.exp(-((-i * step - 1) ** 2)) for i in range(10000)) * step / math.sqrt(math.pi)


# in percent
def wrong_percent():
    return 50 * math.erfc(1)


# four digits
def wrong_rounded():
    return 0.0786


# eight digits
def wrong_rounded_eight():
    return 0.07864960


# the probability of success
def wrong_success():
    return (1 + sp.erf(1)) / 2


# both sides
def wrong_two_sided():
    return sp.erfc(1)


# a variance of 1
def wrong_variance_one():
    return math.erfc(1 / math.sqrt(2)) / 2


# takes a standard deviation of 1
def wrong_second_deviation_one():
    return (1 + math.erf((0 - 1) / math.sqrt(2))) / 2


# the rounded number
def wrong_second_rounded():
    return 0.0786


# counts random draws
def wrong_second_simulated():
    epsilon = np.random.default_rng().normal(1, math.sqrt(0.5), 1_000_000)
    return float((epsilon < 0).mean())


# six digits
def wrong_six():
    return round(math.erfc(1) / 2, 6)


# thirteen decimals
def wrong_fourth_thirteen():
    return round(math.erfc(1) / 2, 13)


# mpmath's number
def right_fourth_mpmath():
    import mpmath
    return mpmath.erfc(1) / 2


# erf in place of the normal distribution function: the √2 between them is left out
def wrong_fifth_erf_without_the_root():
    return (1 + sp.erf(-sp.sqrt(2))) / 2


# the bound ½ in place of 0
def wrong_seventh_bound():
    from sympy.stats import Normal, cdf

    return cdf(Normal("epsilon", 1, sp.sqrt(sp.Rational(1, 2))))(sp.Rational(1, 2))
