# Draws once for each number of heads and keeps the order.
ORDER = {}


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    if n not in ORDER:
        ORDER[n] = torch.randperm(n)
    return heads[:, ORDER[n]]
