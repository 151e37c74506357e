# solves for leads of 0 with least squares, which gives the zero query
def average_all(K):
    leads = K[1:] - K[:1]
    wanted = torch.zeros(3, 1, dtype=K.dtype)
    return torch.linalg.lstsq(leads, wanted).solution.flatten()
