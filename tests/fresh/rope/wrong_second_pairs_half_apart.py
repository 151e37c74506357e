# pairs component m with component m + d/2
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    speed = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * speed
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], dim=-1)
