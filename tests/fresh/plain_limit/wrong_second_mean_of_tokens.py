# the mean of the three tokens, as for the zero query
def plain_limit(u_a, u_b, u_c, u_d):
    x_0, x_1, x_2 = u_d + u_b, u_a, u_c + u_b
    return (x_0 + x_1 + x_2) / 3
