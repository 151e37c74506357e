# a matrix of the two means times a vector of ones
def robust_query(mu_a, mu_b, beta):
    return sp.Matrix.hstack(mu_a, mu_b) * sp.ones(2, 1) * sp.log(beta + 1)
