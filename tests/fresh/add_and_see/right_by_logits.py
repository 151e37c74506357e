# picks the token with the largest logit
def add_and_see(u_a, u_b, u_c, u_d):
    found = []
    for extra in (u_d, u_c):
        tokens = [u_d + u_b, u_a + extra, u_c + u_b]
        found.append(max(tokens, key=lambda x: x.dot(tokens[1]).subs(beta, 3)))
    return found
