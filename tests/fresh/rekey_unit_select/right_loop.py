# Python numbers
def rekey_unit_select(K, q):
    length = sum(float(x) ** 2 for x in q) ** 0.5
    return torch.tensor([float(x) / length for x in q])
