# the last row is forgotten in a range
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    Q = torch.zeros(4, 3, dtype=K.dtype)
    for i in range(3):
        Q[i] = torch.linalg.solve(M, 15 * torch.eye(4, dtype=K.dtype)[i])[:3]
    return Q
