# weights of 0.496, 0.496 and 0.004 each by logarithms
def average_first_two(K):
    wanted = torch.tensor([0.496, 0.496, 0.004, 0.004], dtype=torch.float64).log()
    M = torch.hstack([K, torch.ones(4, 1, dtype=torch.float64)])
    return torch.linalg.solve(M, wanted)[:3]
