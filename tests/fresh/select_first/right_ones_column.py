# the column of ones of the next section, in place on a copy
def select_first(K):
    M = torch.nn.functional.pad(K, (0, 1), value=1.0)
    return torch.linalg.solve(M, torch.tensor([20.0, 0, 0, 0], dtype=K.dtype))[:-1]
