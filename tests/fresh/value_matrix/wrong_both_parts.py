# each token counts its noun part as well
def value_matrix(u_a, u_b, u_c, u_d, beta):
    return (u_b * (u_d + u_b).T + (u_b - u_c) * (u_c + u_b).T) / beta**2
