# divides by beta
def robust_query(mu_a, mu_b, beta):
    return (mu_a + mu_b) / beta
