# a bounded second query
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a, 50 * sp.tanh(beta) * mu_b
