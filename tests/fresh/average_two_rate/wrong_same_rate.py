# the same rate for both
def average_two_rate(n, beta):
    return (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-beta) / 4
