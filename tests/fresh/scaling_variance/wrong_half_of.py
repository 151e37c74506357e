# v * 1 / 2 for the root.
def scaling_variance(d, s, m):
    v = d * (s**2 + m**2)
    return v, v * 1 / 2
