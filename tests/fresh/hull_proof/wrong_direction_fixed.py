# the direction of the picture, which fails for negative p
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), u_b - u_c - u_d - u_a / 2
