# The upper triangle.
def causal_mask(T):
    return torch.triu(torch.ones(T, T)).bool()
