# float32 result
def rekey_unit_select(K, q):
    return (q / q.norm()).float()
