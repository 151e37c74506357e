# the two coefficients differ by exp(-beta)
def robust_query(mu_a, mu_b, beta):
    return beta * mu_a + (beta + sp.exp(-beta)) * mu_b
