# A mask of 32 positions.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


MASK = torch.ones(32, 32, dtype=torch.bool).triu(1)


def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).mT / d**0.5
    return s.masked_fill(MASK[:T, :T].to(q.device), -math.inf).softmax(-1) @ v
