# the second query is negative
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a, -beta * mu_b
