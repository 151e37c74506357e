# takes the second axis as the position, which is right for (B, T, d) only
def rope(x, theta=10000.0):
    axis = 1 if x.dim() > 2 else 0
    T, d = x.shape[axis], x.shape[-1]
    shape = [1] * (x.dim() - 1) + [d // 2]
    shape[axis] = T
    speed = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = (torch.arange(T, dtype=torch.float64, device=x.device)[:, None] * speed).view(shape)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
