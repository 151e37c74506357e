# tuple of a map
def add_and_see(u_a, u_b, u_c, u_d):
    return tuple(map(lambda u: u + u_a, (u_d, u_c)))
