# pairs as complex numbers in double precision, multiplied by exp(i t w)
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    speed = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = torch.arange(T, dtype=torch.float64, device=x.device)[:, None] * speed
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
