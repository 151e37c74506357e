# returns the whole table
def rekey_average_three(K, q):
    changed = K.clone()
    changed[2] = K[0]
    return changed
