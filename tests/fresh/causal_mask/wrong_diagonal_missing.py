# No position may attend to itself.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril(-1)
