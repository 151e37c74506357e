# within the tolerance: 0.503 and 0.495
def average_first_two(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.015, 8.0, 8.0], dtype=K.dtype))
