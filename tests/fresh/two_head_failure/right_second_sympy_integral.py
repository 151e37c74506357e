# the integral of the density below 0, done by sympy
def two_head_failure():
    x = sp.Symbol("x", real=True)
    return sp.integrate(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 0))
