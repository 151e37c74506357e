# counts a tie as a win
def best_query(keys, a, b, R):
    n = len(keys)
    c = [n - 2 if i in (a, b) else -2 for i in range(n)]
    norm = sp.sqrt(sum(x * x for x in c))
    q = sum((x * k for x, k in zip(c, keys)), sp.zeros(keys[0].rows, 1)) * R / norm
    return n <= 8, q, n * R / norm
