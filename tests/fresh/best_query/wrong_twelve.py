# second_wins again from n = 12 on, from a wrong inequality
def best_query(keys, a, b, R):
    n = len(keys)
    d = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    return n < 8 or n > 11, R * d / d.norm(), R * n / d.norm()
