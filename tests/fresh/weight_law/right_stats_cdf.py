# the distribution function of sympy.stats for the difference
from sympy.stats import Normal, cdf

def weight_law(w, beta):
    D = Normal("D", 0, beta * sp.sqrt(sp.Rational(1, 2)))
    return cdf(D)(sp.log(w / (1 - w)))
