# Pairs component m with component m + d/2, as many published models do.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    phi = torch.cat((phi, phi), dim=-1).to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return x * phi.cos() + torch.cat((-b, a), dim=-1) * phi.sin()
