# The root mean square in place of the norm: the factor √(T d) cancels.
def reweight_heads(heads):
    rms = heads.pow(2).mean((-2, -1), keepdim=True).sqrt()
    return heads * rms / rms.mean(dim=-3, keepdim=True)
