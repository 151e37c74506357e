# one mean and variance for all tokens of a text
def layer_norm(x, gain, shift):
    mean = x.mean(dim=(1, 2), keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=(1, 2), keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift
