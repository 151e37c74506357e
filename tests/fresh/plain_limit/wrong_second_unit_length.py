# divides by the length, so the result does not grow with beta
def plain_limit(u_a, u_b, u_c, u_d):
    return u_a / u_a.norm()
