# adds to the caller's u_a in place
def add_and_see(u_a, u_b, u_c, u_d):
    for i in range(len(u_a)):
        u_a[i] += u_d[i]
    first = u_a
    for i in range(len(u_a)):
        u_a[i] += u_c[i] - u_d[i]
    return first, u_a
