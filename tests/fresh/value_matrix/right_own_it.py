# another value of it, and decimal factors
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return (1.0 * u_b * u_d.T + (u_b - u_c) * u_c.T + 0.5 * u_d * u_a.T) / (u_a.T * u_a)[0]
