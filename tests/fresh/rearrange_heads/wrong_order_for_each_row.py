# Each row of the batch has its own order.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return torch.stack([row[torch.randperm(len(row))] for row in heads])
