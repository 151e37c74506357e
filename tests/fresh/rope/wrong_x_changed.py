# The numbers are right, but they are written into the caller's x.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * phi.cos() - b * phi.sin()
    x[..., 1::2] = a * phi.sin() + b * phi.cos()
    return x
