# the standard library's normal distribution
from statistics import NormalDist

def two_head_failure():
    return NormalDist(1, math.sqrt(0.5)).cdf(0)
