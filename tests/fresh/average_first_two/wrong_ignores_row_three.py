# an equal pair, but row 3 is forgotten
def average_first_two(K):
    A = torch.stack([K[0] - K[1], K[0] - K[2]])
    return torch.linalg.pinv(A) @ torch.tensor([0.0, 9.0], dtype=torch.float64)
