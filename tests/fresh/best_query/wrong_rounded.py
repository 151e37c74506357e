# rounded coefficients
def best_query(keys, a, b, R):
    n = len(keys)
    x, y = round(((n - 2) / (2 * n)) ** 0.5, 6), -round((2 / (n * (n - 2))) ** 0.5, 6)
    q = sum([(x if i in (a, b) else y) * R * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, (x - y) * R
