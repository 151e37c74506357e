# leads are logarithms of ratios
def exact_logits(K, weights):
    return torch.linalg.solve(K[0] - K[1:], torch.log(weights[0] / weights[1:]))
