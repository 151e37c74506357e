# The next position is allowed too.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril(1)
