# a tuple made by a comprehension
def two_heads(mu_a, mu_b, beta):
    return tuple(sp.exp(beta) * mu for mu in (mu_a, mu_b))
