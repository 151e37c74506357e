# the second query of the text
def best_query(keys, a, b, R):
    n = len(keys)
    q = sum([(1 if i in (a, b) else -1) * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1)) * R / sp.sqrt(n)
    return n < 8, q, 2 * R / sp.sqrt(n)
