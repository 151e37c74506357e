# The range ends one too early.
def causal_mask(T):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T - 1):
        mask[t, : t + 1] = True
    return mask
