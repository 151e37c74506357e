# does not divide by beta squared
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return u_b * u_d.T + (u_b - u_c) * u_c.T
