# var_mean and rsqrt.
def layer_norm(x, gain, shift):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-5) * gain + shift
