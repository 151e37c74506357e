# The pairs are joined in front and moved to the end, so the result is a view with other strides.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] / theta ** (torch.arange(0, d, 2, device=x.device) / d)
    even, odd = x.unflatten(-1, (d // 2, 2)).unbind(-1)
    c, s = phi.cos(), phi.sin()
    out = torch.stack([even * c - odd * s, even * s + odd * c]).movedim(0, -1)
    return out.reshape(x.shape).to(x.dtype)
