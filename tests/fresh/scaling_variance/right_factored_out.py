# s is factored out of the root.
def scaling_variance(d, s, m):
    ratio = m / s
    return d * s**2 * (1 + ratio**2), s * sp.sqrt(d * (1 + ratio**2))
