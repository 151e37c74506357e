# the margin is the logit of a, not the lead
def best_query(keys, a, b, R):
    n = len(keys)
    x = R * sp.sqrt(sp.Rational(n - 2, 2 * n))
    y = -R * sp.sqrt(sp.Rational(2, n * (n - 2)))
    q = sum([(x if i in (a, b) else y) * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, x
