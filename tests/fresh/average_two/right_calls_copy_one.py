# adds two queries of copy_one, given in the same cell as a helper
def _copy(keys, j, beta):
    return beta * keys[j]

def average_two(keys, a, b, beta):
    return _copy(keys, a, beta) + _copy(keys, b, beta)
