# 2m // d in the exponent, so every pair has the speed 1.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    w = torch.tensor([theta ** -(2 * m // d) for m in range(d // 2)], device=x.device)
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * w
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)
