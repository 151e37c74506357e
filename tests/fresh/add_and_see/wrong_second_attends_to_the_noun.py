# thinks that the new overlap makes it attend to animal or street
def add_and_see(u_a, u_b, u_c, u_d):
    return u_d + u_b, u_c + u_b
