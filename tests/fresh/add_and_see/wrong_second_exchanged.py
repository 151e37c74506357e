# the two limits in the wrong order
def add_and_see(u_a, u_b, u_c, u_d):
    return u_a + u_c, u_a + u_d
