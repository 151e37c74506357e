# A fresh generator of numpy, not a global one.
def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    return heads[:, np.random.default_rng().permutation(heads.shape[1])]
