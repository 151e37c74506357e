# each head copies by pushing the other word away, too
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a - beta**2 * mu_b, beta * mu_b - beta * mu_a
