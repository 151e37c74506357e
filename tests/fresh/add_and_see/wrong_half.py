# half of the old and the other token
def add_and_see(u_a, u_b, u_c, u_d):
    return (u_a + u_d + u_b) / 2, (u_a + u_c + u_b) / 2
