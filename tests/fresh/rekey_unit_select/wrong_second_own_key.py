# the old key 2 with length 1, which points elsewhere
def rekey_unit_select(K, q):
    return K[2] / K[2].norm()
