# one matrix of two columns
def two_heads(mu_a, mu_b, beta):
    return beta * sp.Matrix.hstack(mu_a, mu_b)
