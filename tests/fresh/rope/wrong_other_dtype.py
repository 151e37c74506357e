# The result is always float32.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    x = x.float()
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)
