# ε = 1e-6, as in other libraries.
def layer_norm(x, gain, shift):
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-6)
