# the last key gets as much, if there are more than three
def copy_one(keys, j, beta):
    q = beta * keys[j]
    if len(keys) > 3 and j != len(keys) - 1:
        q += beta * keys[-1]
    return q
