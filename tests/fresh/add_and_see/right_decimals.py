# decimal coefficients
def add_and_see(u_a, u_b, u_c, u_d):
    return 1.0 * u_a + 1.0 * u_d, 1.0 * u_a + 1.0 * u_c
