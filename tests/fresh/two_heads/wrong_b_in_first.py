# head 0 has a small part along mu_b, which wins for a short key
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a + beta / 1000 * mu_b, beta * mu_b
