# a batched matrix product with weights that sum to 1; the middle axis is squeezed
def masked_mean(hidden, mask):
    weights = (mask / mask.sum(1, keepdim=True)).to(hidden.dtype)
    return (weights.unsqueeze(1) @ hidden).squeeze(1)
