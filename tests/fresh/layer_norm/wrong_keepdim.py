# keepdim is forgotten.
def layer_norm(x, gain, shift):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, unbiased=False) + 1e-5) * gain + shift
