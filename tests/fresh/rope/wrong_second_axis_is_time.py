# Reads the length from axis 1, so heads (B, h, T, d) are rotated by their head.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    T = x.shape[1] if x.dim() > 2 else x.shape[0]
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    if x.dim() == 4:
        phi = phi[:, None]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)
