# linsolve, whose result is a sympy tuple
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    tokens = [u_d + u_b, u_a + p * u_d + r * u_c, u_c + u_b]
    A = sp.Matrix([[u.dot(x) for x in tokens] for u in (u_a, u_c, u_d)])
    return next(iter(sp.linsolve((A, sp.zeros(3, 1)))))
