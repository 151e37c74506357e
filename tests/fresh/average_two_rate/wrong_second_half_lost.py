# forgets the factor 1/2 of the expansion
def average_two_rate(n, beta):
    return (n - 2) * sp.exp(-beta) / 2, (n - 2) * sp.exp(-2 * beta) / 2
