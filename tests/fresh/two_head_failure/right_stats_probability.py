# the distribution function of sympy.stats
from sympy.stats import Normal, cdf

def two_head_failure():
    return cdf(Normal("epsilon", 1, 1 / sp.sqrt(2)))(0)
