# zero vectors in place of numbers
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    zero = sp.zeros(len(u_a), 1)
    return zero, zero, zero
