# the outputs with their weights
def add_and_see(u_a, u_b, u_c, u_d):
    one = sp.eye(len(u_a))
    return tuple(self_attention([u_d + u_b, u_a + u, u_c + u_b], one, one, one)[1] for u in (u_d, u_c))
