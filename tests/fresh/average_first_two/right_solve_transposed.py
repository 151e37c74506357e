# the system from the right
def average_first_two(K):
    D = (K[:1] - K[1:]).T
    return torch.linalg.solve(D, torch.tensor([[0.0, 8.0, 8.0]], dtype=K.dtype), left=False)[0]
