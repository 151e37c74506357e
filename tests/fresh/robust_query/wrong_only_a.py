# copies value a
def robust_query(mu_a, mu_b, beta):
    return beta * mu_a
