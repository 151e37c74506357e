# counts the tie at eight keys as a win
def best_query(keys, a, b, R):
    n = len(keys)
    others = sum((k for i, k in enumerate(keys) if i not in (a, b)), sp.zeros(keys[0].rows, 1))
    u = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n <= 8, R * u / u.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))
