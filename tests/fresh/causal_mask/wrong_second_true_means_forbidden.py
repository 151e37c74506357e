# torch's other convention: True where attention is forbidden
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)
