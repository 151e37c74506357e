# counts n - 1 other keys instead of n - 2
def average_two_rate(n, beta):
    return (n - 1) * sp.exp(-beta) / 4, (n - 1) * sp.exp(-2 * beta) / 4
