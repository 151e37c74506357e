# returns the shift as well
def average_first_two(K):
    M = torch.cat([K, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    return torch.linalg.solve(M, torch.tensor([9.0, 9.0, 0, 0], dtype=torch.float64))
