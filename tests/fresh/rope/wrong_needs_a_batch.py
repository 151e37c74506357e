# Unpacks (B, T, d): other numbers of axes fail.
def rope(x, theta=10000.0):
    B, T, d = x.shape
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).reshape(B, T, d).to(x.dtype)
