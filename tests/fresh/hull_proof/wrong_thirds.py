# equal weights
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return sp.Rational(1, 3), sp.Rational(1, 3), sp.Rational(1, 3)
