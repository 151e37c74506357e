# weights that are clamped at 0 after forgetting a condition
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return max(0, -p), 0, max(0, -r)
