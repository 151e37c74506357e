# different leads over rows 2 and 3
def average_first_two(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 9.0, 14.0], dtype=K.dtype))
