# rounded to three decimals
def rekey_unit_select(K, q):
    return torch.round(q / q.norm(), decimals=3)
