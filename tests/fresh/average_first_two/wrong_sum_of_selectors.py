# adds two queries that select one row each, with different leads
def average_first_two(K):
    ones = torch.ones(4, 1, dtype=torch.float64)
    M = torch.cat([K, ones], dim=1)
    first = torch.linalg.solve(M, torch.tensor([9.0, 0, 0, 0], dtype=torch.float64))
    second = torch.linalg.solve(M, torch.tensor([0, 3.0, 0, 0], dtype=torch.float64))
    return (first + second)[:3]
