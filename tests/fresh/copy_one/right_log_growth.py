# grows only like log(1 + beta), in the plain key direction
def copy_one(keys, j, beta):
    return sp.log(1 + beta) * keys[j]
