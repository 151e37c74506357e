# The gain is divided in place.
def layer_norm(x, gain, shift):
    out = F.layer_norm(x, x.shape[-1:], gain, shift)
    gain.div_(gain.abs().max())
    return out
