# the two matrices have different numbers of rows
def key_query(u_a, u_b, u_c, u_d, beta):
    return sp.Matrix.vstack(u_d.T, u_a.T), sp.Matrix.vstack(u_c.T, u_d.T, u_b.T)
