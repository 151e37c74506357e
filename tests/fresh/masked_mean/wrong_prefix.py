# the first n places, n the number of ones
def masked_mean(hidden, mask):
    return torch.stack([h[: int(n)].mean(0) for h, n in zip(hidden, mask.sum(1))])
