# an immutable matrix with decimal factors
def copy_one(keys, j, beta):
    return sp.ImmutableMatrix(0.5 * beta * keys[j])
