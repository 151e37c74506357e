# computes the three logits and returns the token that leads
def plain_limit(u_a, u_b, u_c, u_d):
    tokens = [u_d + u_b, u_a, u_c + u_b]
    unit = u_a.dot(u_a)
    logits = [sp.simplify(x.dot(tokens[1]) / unit) for x in tokens]
    leader = max(range(3), key=lambda i: logits[i])
    return tokens[leader]
