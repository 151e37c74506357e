# the average of the three tokens
def plain_limit(u_a, u_b, u_c, u_d):
    return ((u_d + u_b) + u_a + (u_c + u_b)) / 3
