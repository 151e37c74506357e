# removes the parts along u_c and u_d, but one u_a is left
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return -p, 1, -r
