# divides the caller's q in place
def rekey_unit_select(K, q):
    q /= q.norm()
    return q
