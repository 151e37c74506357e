# a combination with zeros
def plain_limit(u_a, u_b, u_c, u_d):
    return sum((c * u for c, u in zip((1, 0, 0, 0), (u_a, u_b, u_c, u_d))), sp.zeros(*u_a.shape))
