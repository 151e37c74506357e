# a dictionary
def two_heads(mu_a, mu_b, beta):
    return {"q0": beta * mu_a, "q1": beta * mu_b}
