# divides by the sum of absolute values
def rekey_unit_select(K, q):
    return q / q.abs().sum()
