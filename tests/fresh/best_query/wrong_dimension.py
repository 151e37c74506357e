# uses the number of dimensions for n
def best_query(keys, a, b, R):
    n = len(keys[0])
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8, R * d / d.norm(), R * n / d.norm()
