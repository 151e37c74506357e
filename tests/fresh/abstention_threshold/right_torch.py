# a zero-dimensional tensor
def abstention_threshold(confidences, right, target):
    c, r = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    above = (c[None] >= c[:, None]).double()
    shares = above @ r / above.sum(1)
    return torch.where(shares >= target, c, torch.inf).min()
