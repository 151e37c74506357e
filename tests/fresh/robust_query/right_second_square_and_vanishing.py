# grows like beta squared, with a difference that tends to 0
def robust_query(mu_a, mu_b, beta):
    q = beta**2 * (mu_a + mu_b)
    q = q - mu_b * sp.exp(-beta)
    return q
