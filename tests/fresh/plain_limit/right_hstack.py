# a product of the table of features with a unit vector
def plain_limit(u_a, u_b, u_c, u_d):
    return sp.Matrix.hstack(u_a, u_b, u_c, u_d) * sp.Matrix([1.0, 0, 0, 0])
