# the result is a strided column of a larger tensor
def weighted_average(values, weights):
    both = torch.stack([weights @ values, values.sum(dim=0)], dim=-1)
    return both[..., 0]
