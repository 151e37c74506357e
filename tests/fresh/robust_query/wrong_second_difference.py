# the difference of the means instead of the sum
def robust_query(mu_a, mu_b, beta):
    return beta * (mu_a - mu_b)
