# the same tensor is written and stacked four times
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    row, rows = torch.zeros(3, dtype=K.dtype), []
    for i in range(4):
        row[:] = torch.linalg.solve(M, 15 * torch.eye(4, dtype=K.dtype)[i])[:3]
        rows.append(row)
    return torch.stack(rows)
