# the queries are the tokens, and only the keys are made, as a list
def key_query(u_a, u_b, u_c, u_d, beta):
    W_K = (u_d * u_c.T + u_a * u_d.T) / beta
    return [sp.eye(len(u_a)), W_K]
