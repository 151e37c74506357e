# the two in the other order
def average_two_rate(n, beta):
    return (n - 2) * sp.exp(-2 * beta) / 4, (n - 2) * sp.exp(-beta) / 4
