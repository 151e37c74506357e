# the scale starts far below 0, and every other key is pushed down in a loop on a copy
def copy_one(keys, j, beta):
    q = sp.Matrix(keys[j]).copy()
    q *= beta - 50
    for i, key in enumerate(keys):
        if i == j:
            continue
        q = q - beta * key
    return q
