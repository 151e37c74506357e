# takes it away and averages the two nouns, so u_c and u_d stay
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    return sp.Rational(1, 2), 0, sp.Rational(1, 2)
