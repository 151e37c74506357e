# adds u_c to the token that already has u_d
def add_and_see(u_a, u_b, u_c, u_d):
    return u_a + u_d, u_a + u_d + u_c
