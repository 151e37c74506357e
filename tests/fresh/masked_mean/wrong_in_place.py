# zeroes the padding in the given tensor
def masked_mean(hidden, mask):
    hidden[mask == 0] = 0
    return hidden.sum(1) / mask.sum(1, keepdim=True)
