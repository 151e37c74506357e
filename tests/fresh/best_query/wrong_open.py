# leaves the comparison open
def best_query(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return 2 * R / sp.sqrt(n) > R / sp.sqrt(2), R * d / d.norm(), R * n / d.norm()
