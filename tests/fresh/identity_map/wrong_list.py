# a list of four queries
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return list(torch.linalg.solve(M, 15 * torch.eye(4, dtype=K.dtype))[:3].T)
