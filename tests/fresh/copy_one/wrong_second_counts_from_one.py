# counts the keys from 1, so it takes the key before
def copy_one(keys, j, beta):
    return beta * keys[j - 1]
