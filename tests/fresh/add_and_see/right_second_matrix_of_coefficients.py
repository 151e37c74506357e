# one matrix product, and the two columns of the result
def add_and_see(u_a, u_b, u_c, u_d):
    features = sp.Matrix.hstack(u_a, u_b, u_c, u_d)
    both = features * sp.Matrix([[1, 1], [0, 0], [0, 1], [1, 0]])
    return both.col(0), both[:, 1]
