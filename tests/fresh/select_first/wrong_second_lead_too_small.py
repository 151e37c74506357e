# a lead of 4 gives only 95 percent
def select_first(K):
    leads = K[0] - K[1:]
    return torch.linalg.solve(leads, torch.full((3,), 4.0, dtype=torch.float64))
