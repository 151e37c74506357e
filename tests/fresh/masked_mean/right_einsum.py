# einsum over the places
def masked_mean(hidden, mask):
    m = mask.to(hidden.dtype)
    return torch.einsum("btd,bt->bd", hidden, m) / m.sum(1)[:, None]
