# random.shuffle on a tensor: swapped views overwrite each other.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    out = heads.transpose(0, 1).clone()
    random.shuffle(out)
    return out.transpose(0, 1)
