# least squares on the differences, a column at first
def select_first(K):
    wanted = torch.full((3, 1), 12.0, dtype=torch.float64)
    return torch.linalg.lstsq(K[0] - K[1:], wanted).solution.squeeze(-1)
