# a huge lead that overflows
def select_first(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 1e308, dtype=torch.float64) * 10)
