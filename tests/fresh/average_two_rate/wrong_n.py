# n in place of n - 2
def average_two_rate(n, beta):
    return n * sp.exp(-beta) / 4, n * sp.exp(-2 * beta) / 4
