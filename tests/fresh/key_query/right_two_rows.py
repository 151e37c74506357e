# two rows only: queries and keys of two numbers
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = sp.Matrix.vstack(u_d.T, u_a.T) / beta
    W_K = sp.Matrix.vstack(u_c.T, u_d.T) / beta
    return W_Q, W_K
