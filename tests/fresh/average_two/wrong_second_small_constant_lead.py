# one logit is ahead by a constant 1/50 for every beta
def average_two(keys, a, b, beta):
    return beta * keys[a] + (beta + sp.Rational(1, 50)) * keys[b]
