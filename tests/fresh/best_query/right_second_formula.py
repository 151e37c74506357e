# the closed formula with a Lagrange multiplier, integers compared
def best_query(keys, a, b, R):
    rest = len(keys) - 2
    multiplier = R / sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, rest))
    q = sp.zeros(len(keys[a]), 1)
    for i, key in enumerate(keys):
        q = q + (multiplier / 2 if i in (a, b) else -multiplier / rest) * key
    return 8 - len(keys) > 0, q, R * sp.sqrt(sp.Rational(len(keys), 2 * rest))
