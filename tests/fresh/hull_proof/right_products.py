# numbers that are 0 only after multiplying out
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    a1 = (p + 1) ** 2 - p**2 - 2 * p - 1
    return -p * a1, a1, -r * a1
