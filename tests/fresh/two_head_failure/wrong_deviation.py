# one half as the standard deviation
def two_head_failure():
    return NormalDist_cdf(2.0)

def NormalDist_cdf(z):
    return (1 - math.erf(z / math.sqrt(2))) / 2
