# lets sympy solve the equation of the hit rate once, outside the function
_a, _f, _h, _k = sp.symbols("a f h k")
_share_of_name = sp.lambdify((_h, _f, _k), sp.solve(sp.Eq(_h, _a * _f + (1 - _a) * (1 - _f) / (_k - 1)), _a)[0])


def planted_agreement(hit, follow, k):
    if abs(k * follow - 1) < 1e-9:
        raise ValueError(f"follow = 1/{k} does not tell")
    return float(_share_of_name(hit, follow, k))
