# the difference of the two keys
def average_two(keys, a, b, beta):
    return beta * (keys[a] - keys[b])
