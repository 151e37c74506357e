# Positions are counted from 1.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    t = torch.arange(1, x.shape[-2] + 1, device=x.device)
    phi = t[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)
