# padding is zeroed, but the sum is divided by T
def masked_mean(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(dim=1)
