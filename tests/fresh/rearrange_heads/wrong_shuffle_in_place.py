# The shuffle is written into the caller's tensor.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    heads[:] = heads[:, torch.randperm(heads.shape[1])]
    return heads
