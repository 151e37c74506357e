# a list made by a loop over the two added features
def add_and_see(u_a, u_b, u_c, u_d):
    limits = []
    for added in (u_d, u_c):
        token = u_a.copy()
        token += added
        limits.append(token)
    return limits
