# The gain is counted from 1.
def layer_norm(x, gain, shift):
    return F.layer_norm(x, x.shape[-1:], 1 + gain, shift)
