# forces the sum 1, which leaves a part along u_a
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    total = 1 - p - r
    if total == 0:
        return 0, 0, 0
    return -sp.sympify(p) / total, 1 / sp.sympify(total), -sp.sympify(r) / total
