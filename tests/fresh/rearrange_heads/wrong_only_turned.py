# A shuffle that only turns the heads around by a random step.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    return heads.roll(1 if how == "shift" else random.randrange(n), dims=1)
