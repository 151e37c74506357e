# decimal numbers in the query and the margin
import math

def best_query(keys, a, b, R):
    n = len(keys)
    x, y = math.sqrt((n - 2) / (2 * n)), -math.sqrt(2 / (n * (n - 2)))
    q = sum([(x if i in (a, b) else y) * R * k for i, k in enumerate(keys)], sp.zeros(len(keys[0]), 1))
    return n < 8, q, (x - y) * R
