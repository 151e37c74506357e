# Shape (1, 1, T, T), as in minGPT.
def causal_mask(T):
    return torch.tril(torch.ones(T, T)).view(1, 1, T, T).bool()
