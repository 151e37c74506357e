# torch's default variance, which divides by d - 1
def layer_norm(x, gain, shift):
    mean, variance = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift
