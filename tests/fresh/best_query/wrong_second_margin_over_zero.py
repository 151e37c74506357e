# the margin is the logit of a alone, the others are forgotten
def best_query(keys, a, b, R):
    n = len(keys)
    others = sum((k for i, k in enumerate(keys) if i not in (a, b)), sp.zeros(keys[0].rows, 1))
    u = (keys[a] + keys[b]) / 2 - others / (n - 2)
    q = R * u / u.norm()
    return n < 8, q, sp.simplify(q.dot(keys[a]))
