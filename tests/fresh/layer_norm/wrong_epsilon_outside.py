# ε is added to the standard deviation.
def layer_norm(x, gain, shift):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, unbiased=False) + 1e-5) * gain + shift
