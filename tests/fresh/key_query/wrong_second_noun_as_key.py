# it looks for a noun, and both animal and street are nouns
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_b * u_a.T) / beta**2
    W_K = (u_b * u_b.T + u_c * u_c.T) / beta**2
    return W_Q, W_K
