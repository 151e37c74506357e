# the normal distribution of the standard library
def two_head_failure():
    from statistics import NormalDist

    return NormalDist(mu=1, sigma=math.sqrt(0.5)).cdf(0)
