# solves for equal logits
def average_all(K):
    return torch.linalg.solve(K[1:] - K[0], torch.zeros(3, dtype=K.dtype))
