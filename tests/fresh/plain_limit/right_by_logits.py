# computes the logits at a large beta and returns the token with the largest one
def plain_limit(u_a, u_b, u_c, u_d):
    tokens = [u_d + u_b, u_a, u_c + u_b]
    logits = [x.dot(tokens[1]).subs(beta, 10) for x in tokens]
    return tokens[logits.index(max(logits))]
