# entry by entry
def value_matrix(u_a, u_b, u_c, u_d, beta):
    d = len(u_a)
    W = sp.zeros(d, d)
    for i in range(d):
        for j in range(d):
            W[i, j] = (u_b[i] * u_b[j] - u_c[i] * u_c[j]) / beta**2
    return W
