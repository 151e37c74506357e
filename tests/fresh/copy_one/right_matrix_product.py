# the matrix of keys times a vector of logits
def copy_one(keys, j, beta):
    logits = sp.Matrix([beta if i == j else -beta for i in range(len(keys))])
    return sp.Matrix.hstack(*keys) * logits
