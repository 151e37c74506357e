# decimal factors
def two_heads(mu_a, mu_b, beta):
    return 0.1 * beta * mu_a, 3.7 * beta * mu_b
