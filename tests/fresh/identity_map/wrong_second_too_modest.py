# asks for a weight of 0.97 for the own key
def identity_map(K):
    table = torch.cat([K, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    wanted = torch.full((4, 4), 0.01, dtype=torch.float64)
    wanted.fill_diagonal_(0.97)
    return torch.linalg.solve(table, wanted.log().T)[:3].T
