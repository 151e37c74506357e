# second_wins is sympy's true or false
def best_query(keys, a, b, R):
    n = sp.Integer(len(keys))
    wins = sp.Gt(2 / sp.sqrt(n), 1 / sp.sqrt(2))
    x = R * sp.sqrt((n - 2) / (2 * n))
    y = -R * sp.sqrt(2 / (n * (n - 2)))
    q = sp.zeros(len(keys[0]), 1)
    for i, k in enumerate(keys):
        q += (x if i in (a, b) else y) * k
    return [wins, q, x - y]
