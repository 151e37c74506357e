# the other keys minus key 0, so row 0 comes last
def select_first(K):
    leads = K[1:] - K[0]
    return torch.linalg.solve(leads, torch.full((3,), 20.0, dtype=torch.float64))
