# adds a part along all axes, where other keys may be
def robust_query(mu_a, mu_b, beta):
    return beta * sp.ones(len(mu_a), 1)
