# Bytes instead of booleans.
def causal_mask(T):
    return torch.tril(torch.ones(T, T, dtype=torch.uint8))
