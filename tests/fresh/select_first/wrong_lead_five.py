# a lead of 5.5: the weight is 0.988
def select_first(K):
    return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 5.5, dtype=torch.float64))
