# The root is a power of 0.5.
def scaling_variance(d, s, m):
    variance = d * m**2 + d * s**2
    return variance, variance**0.5
