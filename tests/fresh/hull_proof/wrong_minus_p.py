# forgets the part along u_a
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return -p, 1, -r
