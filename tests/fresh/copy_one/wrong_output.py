# returns the weights of the query and not the query
def copy_one(keys, j, beta):
    logits = [key.dot(beta * keys[j]) for key in keys]
    total = sum(sp.exp(x) for x in logits)
    return sp.Matrix([sp.exp(x) / total for x in logits])
