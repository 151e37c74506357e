# direction: middle of a and b minus the centroid of all keys, then brought to length R
def best_query(keys, a, b, R):
    n = len(keys)
    everything = sp.zeros(keys[0].rows, 1)
    for key in keys:
        everything += key
    direction = (keys[a] + keys[b]) / 2 - everything / n
    q = R * direction / sp.sqrt(direction.dot(direction))
    other = next(i for i in range(n) if i not in (a, b))
    margin = sp.simplify(q.dot(keys[a]) - q.dot(keys[other]))
    return bool(sp.Rational(4, n) > sp.Rational(1, 2)), q, margin
