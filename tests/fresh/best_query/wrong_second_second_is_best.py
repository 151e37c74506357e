# takes the better of the two given queries for the best of all
def best_query(keys, a, b, R):
    n = len(keys)
    zero = sp.zeros(keys[0].rows, 1)
    if n < 8:
        signs = [1 if i in (a, b) else -1 for i in range(n)]
        q = R / sp.sqrt(n) * sum((s * k for s, k in zip(signs, keys)), zero)
        return True, q, 2 * R / sp.sqrt(n)
    return False, R / sp.sqrt(2) * (keys[a] + keys[b]), R / sp.sqrt(2)
