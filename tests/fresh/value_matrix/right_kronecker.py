# Kronecker products
def value_matrix(u_a, u_b, u_c, u_d, beta):
    from sympy import kronecker_product as kron
    return kron(u_b, u_b.T) / beta**2 - kron(u_c, u_c.T) / beta**2
