# Complex multiplication, always in double precision.
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    w = theta ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float64) / d)
    phi = torch.outer(torch.arange(T, device=x.device, dtype=torch.float64), w)
    z = torch.view_as_complex(x.double().unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(phi), phi)).flatten(-2).to(x.dtype)
