# a unit vector in place of the key
def copy_one(keys, j, beta):
    q = sp.zeros(len(keys[0]), 1)
    q[j] = beta
    return q
