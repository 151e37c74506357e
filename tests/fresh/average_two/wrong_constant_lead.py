# key b gets a constant lead of 1/1000
def average_two(keys, a, b, beta):
    return beta * keys[a] + (beta + sp.Rational(1, 1000)) * keys[b]
