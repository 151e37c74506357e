# numbers in place of beta
def two_heads(mu_a, mu_b, beta):
    return 1000 * mu_a, 1000 * mu_b
