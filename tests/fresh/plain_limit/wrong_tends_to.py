# u_a plus a part that dies out
def plain_limit(u_a, u_b, u_c, u_d):
    return u_a + sp.exp(-beta) * u_b
