# The root is a power of one half, and a list is returned.
def scaling_variance(d, s, m):
    variance = d * (s**2 + m**2)
    return [variance, variance ** sp.Rational(1, 2)]
