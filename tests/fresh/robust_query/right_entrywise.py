# entry by entry, in a list
def robust_query(mu_a, mu_b, beta):
    return sp.Matrix([beta * (x + y) for x, y in zip(mu_a, mu_b)])
