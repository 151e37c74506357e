# both heads copy a
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a, 2 * beta * mu_a
