# one entry, where q is largest in size, with its sign
def rekey_unit_select(K, q):
    key = torch.zeros(3, dtype=torch.float64)
    i = q.abs().argmax()
    key[i] = q[i].sign()
    return key
