# returns float32 whatever hidden is
def masked_mean(hidden, mask):
    m = mask.unsqueeze(-1).float()
    return (hidden.float() * m).sum(1) / m.sum(1)
