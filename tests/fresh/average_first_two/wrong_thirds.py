# three rows share
def average_first_two(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 0.0, 9.0], dtype=torch.float64))
