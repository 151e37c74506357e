# both heads get the query of the single head
def two_heads(mu_a, mu_b, beta):
    q = beta * (mu_a + mu_b)
    return q, q
