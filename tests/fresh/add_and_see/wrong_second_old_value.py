# forgets that the changed token is also the value
def add_and_see(u_a, u_b, u_c, u_d):
    return u_a, u_a
