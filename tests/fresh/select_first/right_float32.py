# solves in float32
def select_first(K):
    k = K.float()
    return torch.linalg.solve(k[0] - k[1:], torch.full((3,), 10.0))
