# treats every feature separately and also keeps everything outside the four features
def value_matrix(u_a, u_b, u_c, u_d, beta):
    def project(out, into):
        return out * into.T / beta**2

    W = sp.eye(len(u_a))
    for u in (u_a, u_b, u_c, u_d):
        W = W - project(u, u)
    W = W + project(5 * u_d, u_a)  # the value of it may be anything
    return W + project(u_b, u_d) + project(u_b - u_c, u_c)
