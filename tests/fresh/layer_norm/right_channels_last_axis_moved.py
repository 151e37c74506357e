# With the components in front.
def layer_norm(x, gain, shift):
    y = x.movedim(-1, 0)
    y = (y - y.mean(0)) / (y.std(0, unbiased=False) ** 2 + 1e-5).sqrt()
    return y.movedim(0, -1) * gain + shift
