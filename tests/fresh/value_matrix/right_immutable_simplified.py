# an immutable, simplified matrix
def value_matrix(u_a, u_b, u_c, u_d, beta):
    unit = [u / u.norm() for u in (u_b, u_c, u_d)]
    W = unit[0] * unit[2].T + (unit[0] - unit[1]) * unit[1].T
    return sp.ImmutableMatrix(sp.simplify(W))
