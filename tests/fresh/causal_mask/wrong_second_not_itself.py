# no position may attend to itself
def causal_mask(T):
    t = torch.arange(T)
    return t[:, None] > t[None, :]
