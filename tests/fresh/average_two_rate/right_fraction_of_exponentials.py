# divides by the exponential and returns a list
def average_two_rate(n, beta):
    return [(n - 2) / (4 * sp.exp(beta)), (n - 2) / (4 * sp.exp(beta) ** 2)]
