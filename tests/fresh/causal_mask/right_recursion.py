# Built from the mask that is one smaller.
def causal_mask(T):
    if T == 1:
        return torch.tensor([[True]])
    mask = torch.zeros(T, T, dtype=torch.bool)
    mask[:-1, :-1] = causal_mask(T - 1)
    mask[-1] = True
    return mask
