# the average of a copy and nothing: b has half the coefficient
def robust_query(mu_a, mu_b, beta):
    return beta * (mu_a + mu_b / 2)
