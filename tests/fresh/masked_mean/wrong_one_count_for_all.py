# divides by the mean number of tokens of the batch
def masked_mean(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / (m.sum() / len(m))
