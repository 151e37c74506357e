# head 1 has a small part along mu_a, which wins for a long key
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a, beta * mu_b + beta / 10 * mu_a
