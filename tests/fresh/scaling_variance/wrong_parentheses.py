# Parentheses are missing.
def scaling_variance(d, s, m):
    v = d * s**2 + m**2
    return v, sp.sqrt(v)
