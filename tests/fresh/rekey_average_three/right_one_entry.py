# one entry only, chosen where q is largest
def rekey_average_three(K, q):
    i = int(q.abs().argmax())
    key = torch.zeros(3, dtype=torch.float64)
    key[i] = float(K[0] @ q) / float(q[i])
    return key
