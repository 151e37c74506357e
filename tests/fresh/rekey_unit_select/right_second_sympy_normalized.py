# sympy's normalized() on the entries of q
def rekey_unit_select(K, q):
    column = sp.Matrix(q.tolist()).normalized()
    return torch.tensor([float(entry) for entry in column], dtype=K.dtype)
