# entries for the standard basis, in the upper corner
def value_matrix(u_a, u_b, u_c, u_d, beta):
    W = sp.zeros(len(u_a), len(u_a))
    W[1, 1], W[2, 2] = 1, -1
    return W
