# The root is taken of d only.
def scaling_variance(d, s, m):
    return d * (s**2 + m**2), sp.sqrt(d) * (s**2 + m**2)
