# the answer to the question in brackets
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return False
