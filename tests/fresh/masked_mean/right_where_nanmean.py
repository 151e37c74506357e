# nan where padding, then nanmean
def masked_mean(hidden, mask):
    h = torch.where(mask[..., None] == 1, hidden, torch.full_like(hidden, float("nan")))
    return h.nanmean(dim=1)
