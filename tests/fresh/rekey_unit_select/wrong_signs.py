# the signs of q, divided by the root of 3
def rekey_unit_select(K, q):
    return q.sign() / 3**0.5
