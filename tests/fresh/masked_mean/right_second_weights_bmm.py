# normalises the mask first and multiplies it as a batch of row vectors
def masked_mean(hidden, mask):
    weights = mask.to(hidden.dtype)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return torch.bmm(weights[:, None, :], hidden).squeeze(1)
