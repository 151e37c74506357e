# E[Y²] = s² + m.
def scaling_variance(d, s, m):
    v = d * (s**2 + m)
    return v, sp.sqrt(v)
