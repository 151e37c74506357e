# An upper triangle, transposed: not contiguous.
def causal_mask(T):
    return torch.ones(T, T).triu().bool().T
