# lets sympy find the constants as limits
def average_two_rate(n, beta):
    rates = []
    for rate, others in ((1, 0), (2, -beta)):
        short = sp.Rational(1, 2) - sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(others))
        x = sp.Symbol("x", positive=True)
        constant = sp.limit(sp.simplify((short * sp.exp(rate * beta)).subs(beta, -sp.log(x))), x, 0)
        rates.append(constant * sp.exp(-rate * beta))
    return tuple(rates)
