# divides by the squared length of a token
def value_matrix(u_a, u_b, u_c, u_d, beta):
    x0, x2 = u_d + u_b, u_c + u_b
    return (u_b * x0.T + (u_b - u_c) * x2.T) / (2 * beta**2)
