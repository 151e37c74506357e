# solves the equation with sympy
def planted_agreement(hit, follow, k):
    if abs(follow - 1 / k) < 1e-12:
        raise ValueError("says nothing")
    a = sp.Symbol("a")
    return float(sp.solve(follow * a + (1 - follow) * (1 - a) / (k - 1) - hit, a)[0])
