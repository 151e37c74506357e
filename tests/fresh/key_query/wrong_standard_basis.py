# matrices of numbers for the standard basis
def key_query(u_a, u_b, u_c, u_d, beta):
    n = len(u_a)
    W_Q, W_K = sp.zeros(n, n), sp.zeros(n, n)
    W_Q[2, 3] = W_Q[3, 0] = W_K[2, 2] = W_K[3, 3] = 1
    return W_Q, W_K
