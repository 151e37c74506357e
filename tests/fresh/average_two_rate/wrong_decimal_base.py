# 2.718 as the base
def average_two_rate(n, beta):
    return (n - 2) / 4 * 2.718 ** (-beta), (n - 2) / 4 * 2.718 ** (-2 * beta)
