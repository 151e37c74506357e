# makes only the first three logits equal, the fourth is left out
def average_all(K):
    return torch.linalg.solve(K[:3], torch.ones(3, dtype=K.dtype))
