# the three numbers as floats in a list, with a direction w of its own
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    w = 2 * u_b - 3 * u_c - 3 * u_d - 4 * (abs(p) + abs(r)) * u_a
    return [0.0, 0.0, 0.0], w
