# sums the real tokens but divides by T
def masked_mean(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(dim=1)
