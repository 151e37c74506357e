# sp.E to a power, and one exponential as the square of another
def average_two_rate(n, beta):
    e = sp.E ** (-beta)
    return e * (n - 2) / 4, (n - 2) * e**2 / 4
