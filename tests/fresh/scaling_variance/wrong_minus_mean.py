# The square of the mean is subtracted.
def scaling_variance(d, s, m):
    v = d * (s**2 - m**2)
    return v, sp.sqrt(v)
