# a helper in the same cell, and stack
def _query(K, w):
    M = torch.cat([K, K.new_ones(4, 1)], dim=1)
    return torch.linalg.solve(M, w.log())[:3]

def identity_map(K):
    wanted = torch.full((4, 4), 0.002, dtype=K.dtype).fill_diagonal_(0.994)
    return torch.stack([_query(K, w) for w in wanted])
