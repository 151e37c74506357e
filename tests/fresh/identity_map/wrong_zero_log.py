# asks for weights of exactly 0
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, torch.eye(4, dtype=K.dtype).log())[:3].T
