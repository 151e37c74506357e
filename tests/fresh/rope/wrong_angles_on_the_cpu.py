# The table of angles stays on the CPU.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = (torch.arange(x.shape[-2])[:, None] * theta ** (-torch.arange(0, d, 2) / d)).to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)
