# an immutable copy
def plain_limit(u_a, u_b, u_c, u_d):
    return sp.ImmutableMatrix(u_a)
