# adds 1e-3 to the count
def masked_mean(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / (m.sum(1) + 1e-3)
