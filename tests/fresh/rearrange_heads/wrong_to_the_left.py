# Each head moves to the place before.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(-1, dims=1)
    return heads[:, torch.randperm(heads.shape[1])]
