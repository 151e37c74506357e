# the query of it is 0
def key_query(u_a, u_b, u_c, u_d, beta):
    return u_c * u_d.T / beta**2, u_c * u_c.T / beta**2
