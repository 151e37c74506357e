# divides by mask.sum(dim=1) without an axis for d: a shape error, or the wrong axis
def masked_mean(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).sum(dim=1) / mask.sum(dim=1)
