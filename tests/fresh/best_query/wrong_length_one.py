# a query of length 1
def best_query(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8, d / d.norm(), sp.sqrt(sp.Rational(n, 2 * (n - 2)))
