# least squares without the shift
def exact_logits(K, weights):
    return torch.linalg.lstsq(K, weights.log()[:, None]).solution[:, 0]
