# the key of row 1, cloned
def rekey_average_three(K, q):
    return K[1].clone()
