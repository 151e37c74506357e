# least squares on the logarithms without the free shift
def exact_logits(K, weights):
    return torch.linalg.lstsq(K, torch.log(weights)[:, None]).solution[:, 0]
