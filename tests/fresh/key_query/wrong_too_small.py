# the logits do not grow with beta
def key_query(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T) / beta**2, 20 * sp.Matrix.vstack(u_c.T, u_d.T) / beta**2
