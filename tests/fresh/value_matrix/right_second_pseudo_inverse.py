# targets times the pseudo-inverse of the two tokens
def value_matrix(u_a, u_b, u_c, u_d, beta):
    tokens = sp.Matrix.hstack(u_d + u_b, u_c + u_b)
    targets = sp.Matrix.hstack(u_b, u_b - u_c)
    return (targets * (tokens.T * tokens).inv() * tokens.T).applyfunc(sp.simplify)
