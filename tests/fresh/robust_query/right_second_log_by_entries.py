# grows only like a logarithm, built entry by entry
def robust_query(mu_a, mu_b, beta):
    scale = sp.log(beta + 1)
    return sp.Matrix([scale * x + scale * y for x, y in zip(mu_a, mu_b)])
