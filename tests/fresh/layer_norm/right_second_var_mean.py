# var_mean without correction, rsqrt and addcmul
def layer_norm(x, gain, shift):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(shift, (x - mean) * torch.rsqrt(variance + 1e-5), gain)
