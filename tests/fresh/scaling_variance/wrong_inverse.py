# The number to multiply by.
def scaling_variance(d, s, m):
    v = d * (s**2 + m**2)
    return v, 1 / sp.sqrt(v)
