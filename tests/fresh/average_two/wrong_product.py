# multiplies the keys entry by entry
def average_two(keys, a, b, beta):
    return beta * keys[a].multiply_elementwise(keys[b])
