# outer products without the division by beta squared
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return u_b * u_b.T - u_c * u_c.T
