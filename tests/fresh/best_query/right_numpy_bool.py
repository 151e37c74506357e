# a numpy bool
import numpy as np

def best_query(keys, a, b, R):
    n = len(keys)
    wins = np.less(n, 8)
    direction = (keys[a] + keys[b]) * (n - 2) - 2 * sum([k for i, k in enumerate(keys) if i not in (a, b)], 0 * keys[0])
    length = sp.sqrt(direction.dot(direction))
    return wins, direction * R / length, R * n / length
