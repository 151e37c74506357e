# The shift is written down for three heads.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads[:, [2, 0, 1]]
    return heads[:, torch.randperm(heads.shape[1])]
