# maps to the four features only
def value_matrix(u_a, u_b, u_c, u_d, beta):
    U = sp.Matrix.hstack(u_a, u_b, u_c, u_d)
    return sp.diag(0, 1, -1, 0) * U.T / beta**2
