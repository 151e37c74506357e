# forgets the mean of the keys
def scaling_variance(d, s, m):
    return d * s**2, s * sp.sqrt(d)
