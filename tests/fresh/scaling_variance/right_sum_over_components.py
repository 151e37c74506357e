# A sympy sum over the components, evaluated.
def scaling_variance(d, s, m):
    i = sp.Symbol("i", integer=True)
    second_moment = 1 * (s**2 + m**2)
    total = sp.summation(second_moment - (0 * m) ** 2, (i, 1, d))
    return total, sp.sqrt(total)
