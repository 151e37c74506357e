# solves for the first three keys only
def select_first(K):
    return torch.linalg.solve(K[:3], torch.tensor([20.0, 0.0, 0.0], dtype=torch.float64))
