# head 0 also takes half of b, so it fails for lengths below one half
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a + beta * mu_b / 2, beta * mu_b
