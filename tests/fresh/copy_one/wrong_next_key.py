# counts from 1
def copy_one(keys, j, beta):
    return beta * keys[j - 1]
