# asks for all logits 1 by least squares, which gets near but not equal
def average_all(K):
    ones = torch.ones(4, 1, dtype=torch.float64)
    return torch.linalg.lstsq(K, ones).solution[:, 0]
