# the direction of q by a singular value decomposition
def rekey_unit_select(K, q):
    _, _, Vh = torch.linalg.svd(q[None])
    key = Vh[0]
    return key if key @ q > 0 else -key
