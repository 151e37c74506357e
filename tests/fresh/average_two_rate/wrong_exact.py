# returns the exact distance from one half, not its leading order
def average_two_rate(n, beta):
    first = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + n - 2)
    second = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(-beta))
    return first, second
