# grows like beta squared
def robust_query(mu_a, mu_b, beta):
    return beta**2 * mu_a + beta**2 * mu_b
