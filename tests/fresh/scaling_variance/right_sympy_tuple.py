# A sympy Tuple, simplified.
def scaling_variance(d, s, m):
    v = sp.factor(d * s**2 + d * m**2)
    return sp.Tuple(v, sp.simplify(sp.root(v, 2)))
