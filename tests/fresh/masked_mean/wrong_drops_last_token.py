# the last real token is excluded as the end-of-text token
def masked_mean(hidden, mask):
    return torch.stack([h[m.bool()][:-1].mean(0) if m.sum() > 1 else h[m.bool()].mean(0) for h, m in zip(hidden, mask)])
