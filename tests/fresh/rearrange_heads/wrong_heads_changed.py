# The shift is written into the caller's tensor.
def rearrange_heads(heads, how):
    if how == "shift":
        last = heads[:, -1].clone()
        heads[:, 1:] = heads[:, :-1].clone()
        heads[:, 0] = last
        return heads
    return heads[:, torch.randperm(heads.shape[1])]
