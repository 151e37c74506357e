# logits that grow like the logarithm of beta, but fast enough
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = sp.log(1 + beta) * sp.Matrix.vstack(u_d.T, u_a.T) / beta**2
    W_K = sp.Matrix.vstack(u_c.T, u_d.T) / beta**2 * 5
    return W_Q, W_K
