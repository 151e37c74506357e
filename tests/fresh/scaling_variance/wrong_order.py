# The divisor first.
def scaling_variance(d, s, m):
    v = d * (s**2 + m**2)
    return sp.sqrt(v), v
