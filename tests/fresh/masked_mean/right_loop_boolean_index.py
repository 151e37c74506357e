# a loop over rows with a boolean index
def masked_mean(hidden, mask):
    return torch.stack([h[m.bool()].mean(0) for h, m in zip(hidden, mask)])
