# the shift goes the other way: the first head to the last place
def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return torch.cat([heads[:, 1:], heads[:, :1]], dim=1)
    return heads[:, torch.randperm(n)]
