# returns the sum as well
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return 0, 0, 0, 0
