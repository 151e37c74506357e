# least squares on the logits
def average_first_two(K):
    return torch.linalg.lstsq(K, torch.tensor([[50.0], [50.0], [0.0], [0.0]], dtype=torch.float64)).solution[:, 0]
