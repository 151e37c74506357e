# the averaging query at two scales, right at length 1 only
def two_heads(mu_a, mu_b, beta):
    return beta * (mu_a + mu_b), beta * (mu_a + mu_b) / 2
