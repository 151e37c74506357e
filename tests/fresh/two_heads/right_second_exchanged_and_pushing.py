# head 0 copies b and pushes a away, head 1 copies a and pushes b away
def two_heads(mu_a, mu_b, beta):
    q_0 = beta * mu_b - 3 * beta * mu_a
    q_1 = beta * mu_a - beta**2 * mu_b
    return q_0, q_1
