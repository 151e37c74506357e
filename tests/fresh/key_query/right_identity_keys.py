# the keys are the tokens, and only the queries are made
def key_query(u_a, u_b, u_c, u_d, beta):
    W_Q = (u_c * u_d.T + u_d * u_a.T) / beta**2
    return W_Q, sp.eye(len(u_a))
