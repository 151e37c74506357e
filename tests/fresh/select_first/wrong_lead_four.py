# a lead of 4, which gives 0.95
def select_first(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 4.0, dtype=torch.float64))
