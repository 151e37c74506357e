# subtracts the other keys from the list in place
def copy_one(keys, j, beta):
    for i, key in enumerate(keys):
        if i != j:
            keys[j] = keys[j] - key
    keys[j] *= beta
    return keys[j]
