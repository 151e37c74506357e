# leads of 5: the weights are 0.98
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, 5 * torch.eye(4, dtype=K.dtype))[:3].T
