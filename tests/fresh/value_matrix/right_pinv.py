# the pseudo-inverse of the two tokens
def value_matrix(u_a, u_b, u_c, u_d, beta):
    X = sp.Matrix.hstack(u_d + u_b, u_c + u_b)
    return sp.Matrix.hstack(u_b, u_b - u_c) * (X.T * X).inv() * X.T
