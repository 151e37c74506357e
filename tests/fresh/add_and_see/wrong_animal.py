# copies the other token
def add_and_see(u_a, u_b, u_c, u_d):
    return u_d + u_b, u_c + u_b
