# the other order
def two_heads(mu_a, mu_b, beta):
    return [beta * mu_b, beta * mu_a]
