# the key is the noun feature, which two tokens have
def key_query(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_b.T, u_b.T)
