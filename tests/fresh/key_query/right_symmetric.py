# one matrix for both, with keys of different lengths
def key_query(u_a, u_b, u_c, u_d, beta):
    keys = (sp.Matrix([2, 0]), sp.Matrix([1, sp.Rational(1, 2)]), sp.Matrix([3, -4]))
    W = (keys[0] * u_d.T + keys[1] * u_a.T + keys[2] * u_c.T) / beta
    return W, W
