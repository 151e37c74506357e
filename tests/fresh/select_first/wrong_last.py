# leads with the sign turned: row 0 is last
def select_first(K):
    return torch.linalg.solve(K[1:] - K[0], torch.full((3,), 8.0, dtype=torch.float64))
