# returns a dictionary of the solution
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return {"alpha_0": 0, "alpha_1": 0, "alpha_2": 0}
