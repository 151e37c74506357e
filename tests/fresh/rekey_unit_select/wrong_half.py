# float16
def rekey_unit_select(K, q):
    return (q / q.norm()).half()
