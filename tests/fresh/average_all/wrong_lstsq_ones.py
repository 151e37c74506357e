# least squares for equal logits of 1
def average_all(K):
    return torch.linalg.lstsq(K, torch.ones(4, 1, dtype=K.dtype)).solution[:, 0]
