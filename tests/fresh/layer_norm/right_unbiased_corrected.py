# The sample variance times (d − 1)/d.
def layer_norm(x, gain, shift):
    d = x.shape[-1]
    variance = x.var(dim=-1, keepdim=True) * (d - 1) / d
    return (x - x.mean(-1, keepdim=True)) / (variance + 0.00001).pow(0.5) * gain + shift
