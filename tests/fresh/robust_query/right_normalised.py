# the direction is normalised, and the length is 10 beta
def robust_query(mu_a, mu_b, beta):
    s = mu_a + mu_b
    return 10 * beta * s / s.norm()
