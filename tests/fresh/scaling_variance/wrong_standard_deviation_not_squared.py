# s is taken for the variance.
def scaling_variance(d, s, m):
    return d * (s + m**2), sp.sqrt(d * (s + m**2))
