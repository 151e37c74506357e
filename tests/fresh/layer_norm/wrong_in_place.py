# x is centred in place.
def layer_norm(x, gain, shift):
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain + shift
