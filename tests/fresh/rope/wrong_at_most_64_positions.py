# A table of 64 positions: longer rows fail.
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    phi = (torch.arange(64, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d))[:T]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)
