# returns the product only
def key_query(u_a, u_b, u_c, u_d, beta):
    return (u_d * u_c.T + u_a * u_d.T) / beta**2
