# the inverse without the transpose: its columns are the queries
def identity_map(K):
    table = torch.cat([K, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    return 18 * torch.linalg.inv(table)[:, :3]
