# copies a by a square, with a part along mu_b that grows more slowly
def two_heads(mu_a, mu_b, beta):
    return beta**2 * mu_a + beta * mu_b, -(beta**2) * mu_a + beta * mu_b
