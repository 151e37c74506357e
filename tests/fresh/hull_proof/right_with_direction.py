# the optional direction, too
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return (0, 0, 0), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a
