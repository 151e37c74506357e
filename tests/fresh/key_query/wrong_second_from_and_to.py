# from and to are exchanged in the query matrix
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_d * u_c.T + u_a * u_d.T) / beta**2
    W_K = (u_c * u_c.T + u_d * u_d.T) / beta**2
    return W_Q, W_K
