# sympy solves the three equations
def hull_proof(u_a, u_b, u_c, u_d, p, r):
    x, y, z = sp.symbols("x y z")
    c = x * (u_d + u_b) + y * (u_a + p * u_d + r * u_c) + z * (u_c + u_b)
    found = sp.solve([c.dot(u) for u in (u_a, u_c, u_d)], [x, y, z], dict=True)[0]
    return found[x], found[y], found[z]
