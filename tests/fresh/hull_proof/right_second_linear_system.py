# solves the three conditions with sympy
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    conditions = sp.Matrix([[0, 1, 0], [0, r, 1], [1, p, 0]])  # parts along u_a, u_c, u_d
    return tuple(conditions.LUsolve(sp.zeros(3, 1)))
