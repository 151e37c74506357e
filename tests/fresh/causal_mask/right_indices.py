# Set by the indices of a triangle.
def causal_mask(T):
    mask = torch.full((T, T), False)
    row, column = torch.tril_indices(T, T)
    mask[row, column] = True
    return mask
