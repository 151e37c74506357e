# the unit key along key 0
def rekey_unit_select(K, q):
    return K[0] / K[0].norm()
