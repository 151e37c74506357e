# u_a plus a fixed small part
def plain_limit(u_a, u_b, u_c, u_d):
    return u_a + u_b / 1000
