# divides by the variance itself
def scaling_variance(d, s, m):
    variance = d * (s**2 + m**2)
    return variance, variance
