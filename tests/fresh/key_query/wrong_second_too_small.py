# divides once too often, so the logits do not grow
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**3
    W_K = (u_c * u_c.T + u_d * u_d.T) / beta**3
    return W_Q, W_K
