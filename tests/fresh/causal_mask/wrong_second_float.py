# ones and zeros of type float32
def causal_mask(T):
    return torch.tril(torch.ones(T, T))
