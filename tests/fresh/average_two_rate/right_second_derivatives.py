# substitutes x = exp(-beta) and takes the first Taylor coefficient
def average_two_rate(n, beta):
    x = sp.Symbol("x")
    first = sp.Rational(1, 2) - 1 / (2 + (n - 2) * x)
    second = sp.Rational(1, 2) - 1 / (2 + (n - 2) * x**2)
    one = sp.diff(first, x).subs(x, 0) * sp.exp(-beta)
    two = sp.diff(second, x, 2).subs(x, 0) / 2 * sp.exp(-2 * beta)
    return one, two
