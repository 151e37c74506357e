# a matrix of two columns
def add_and_see(u_a, u_b, u_c, u_d):
    return sp.Matrix.hstack(u_a + u_d, u_a + u_c)
