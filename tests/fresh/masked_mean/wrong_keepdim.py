# shape (B, 1, d)
def masked_mean(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1, keepdim=True) / m.sum(1, keepdim=True)
