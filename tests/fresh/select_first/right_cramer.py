# inverse of the differences, strided column
def select_first(K):
    M = torch.stack([K[0] - K[i] for i in (1, 2, 3)])
    return torch.linalg.inv(M).mul(7.0).sum(-1, keepdim=True).expand(3, 2)[:, 1]
