# the scale tends to 12 and stops there
def robust_query(mu_a, mu_b, beta):
    return 12 * beta / (beta + 1) * (mu_a + mu_b)
