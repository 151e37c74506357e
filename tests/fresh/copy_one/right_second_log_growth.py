# the logit grows only like log(1 + beta), which still has no bound
def copy_one(keys, j, beta):
    scale = sp.log(1 + beta)
    return sp.Matrix([scale * entry for entry in keys[j]])
