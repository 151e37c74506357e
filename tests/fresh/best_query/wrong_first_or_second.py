# the better of the two queries of the text
def best_query(keys, a, b, R):
    n = len(keys)
    others = sum([k for i, k in enumerate(keys) if i not in (a, b)], sp.zeros(len(keys[0]), 1))
    if n < 8:
        return True, (keys[a] + keys[b] - others) * R / sp.sqrt(n), 2 * R / sp.sqrt(n)
    return False, (keys[a] + keys[b]) * R / sp.sqrt(2), R / sp.sqrt(2)
