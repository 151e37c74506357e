# a third matrix: it attends to itself, with a value matrix that gives it u_b
def key_query(u_a, u_b, u_c, u_d, beta):
    W_V = (u_b * u_a.T + u_b * u_b.T - u_c * u_c.T) / beta**2
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T)
    W_K = sp.Matrix.vstack(u_c.T, u_a.T)
    return W_Q, W_K, W_V
