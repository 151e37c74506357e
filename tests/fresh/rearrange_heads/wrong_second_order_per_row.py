# draws another order for every row of the batch
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return torch.stack([row[torch.randperm(len(row))] for row in heads])
