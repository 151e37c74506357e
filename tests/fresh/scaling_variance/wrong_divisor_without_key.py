# The divisor is √d, as in the paper.
def scaling_variance(d, s, m):
    return d * (s**2 + m**2), sp.sqrt(d)
