# copies animal
def plain_limit(u_a, u_b, u_c, u_d):
    return u_d + u_b
