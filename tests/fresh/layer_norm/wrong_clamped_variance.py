# The variance is at least ε.
def layer_norm(x, gain, shift):
    variance = x.var(-1, keepdim=True, unbiased=False).clamp(min=1e-5)
    return (x - x.mean(-1, keepdim=True)) / variance.sqrt() * gain + shift
