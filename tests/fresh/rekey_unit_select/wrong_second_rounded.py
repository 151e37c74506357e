# rounds to three decimals, so the length is not 1
def rekey_unit_select(K, q):
    return (q / q.norm()).round(decimals=3)
