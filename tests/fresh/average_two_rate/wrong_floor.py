# whole-number division
def average_two_rate(n, beta):
    return (n - 2) // 4 * sp.exp(-beta), (n - 2) // 4 * sp.exp(-2 * beta)
