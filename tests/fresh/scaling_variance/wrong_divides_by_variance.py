# The divisor is the variance.
def scaling_variance(d, s, m):
    v = d * (s**2 + m**2)
    return v, v
