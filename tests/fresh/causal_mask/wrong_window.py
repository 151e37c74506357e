# Only the last 64 positions are allowed.
def causal_mask(T):
    i = torch.arange(T)
    distance = i[:, None] - i[None, :]
    return (distance >= 0) & (distance < 64)
