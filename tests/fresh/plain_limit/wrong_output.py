# the output itself, with its weights, and not its limit
def plain_limit(u_a, u_b, u_c, u_d):
    one = sp.eye(len(u_a))
    return self_attention([u_d + u_b, u_a, u_c + u_b], one, one, one)[1]
