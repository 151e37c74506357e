# the two results in the wrong order
def average_two_rate(n, beta):
    c = sp.Rational(1, 4) * (n - 2)
    return c * sp.exp(-2 * beta), c * sp.exp(-beta)
