# least squares on centred keys and centred logits
def exact_logits(K, weights):
    s = weights.log()
    return torch.linalg.lstsq(K - K.mean(0), (s - s.mean())[:, None], driver="gelsd").solution.flatten()
