# builds the query from a vector of logits, and the margin by Pythagoras
def best_query(keys, a, b, R):
    n = len(keys)
    c = [sp.Integer(n - 2) if i in (a, b) else sp.Integer(-2) for i in range(n)]
    norm = sp.sqrt(sum(x * x for x in c))
    q = sum((x * k for x, k in zip(c, keys)), sp.zeros(keys[0].rows, 1)) * R / norm
    return n < 8, q, n * R / norm
