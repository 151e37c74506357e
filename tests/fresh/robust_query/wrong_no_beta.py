# a large number in place of beta
def robust_query(mu_a, mu_b, beta):
    return 1000 * (mu_a + mu_b)
