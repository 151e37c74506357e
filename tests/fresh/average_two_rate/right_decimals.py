# a decimal constant
def average_two_rate(n, beta):
    return 0.25 * (n - 2) * sp.exp(-beta), 0.25 * (n - 2) * sp.exp(-2 * beta)
