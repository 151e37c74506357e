# returns a third matrix that is all zeros
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q, W_K = sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_c.T, u_d.T)
    return W_Q, W_K, sp.zeros(len(u_a), len(u_a))
