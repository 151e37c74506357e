# matrices of shape (2, d), one row for each of the two keys
def key_query(u_a, u_b, u_c, u_d, beta):
    W_K = sp.Matrix.vstack(u_c.T, u_d.T)
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T)
    return W_Q, W_K
