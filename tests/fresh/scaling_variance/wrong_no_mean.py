# The mean of the keys is forgotten.
def scaling_variance(d, s, m):
    return d * s**2, sp.sqrt(d) * s
