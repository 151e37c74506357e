# The mask is made without a device, so it stays on the CPU.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).transpose(-1, -2) * d**-0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(dim=-1) @ v
