# the noun feature for both, minus the place for street
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return u_b * u_b.T / beta**2 - u_c * u_c.T / beta**2
