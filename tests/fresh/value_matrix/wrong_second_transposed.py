# the outer products the wrong way round
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return (u_d * u_b.T + u_c * (u_b - u_c).T) / beta**2
