# The standard deviations are added, so d is squared.
def scaling_variance(d, s, m):
    v = d**2 * (s**2 + m**2)
    return v, sp.sqrt(v)
