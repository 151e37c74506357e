# only the keys are rotated, the queries stay where they are
def rotary_attention(q, k, v):
    T, d = k.shape[-2:]
    speed = 10000.0 ** (-torch.arange(0, d, 2, device=k.device).double() / d)
    angle = torch.arange(T, device=k.device).double()[:, None] * speed
    c, s = angle.cos().to(k.dtype), angle.sin().to(k.dtype)
    a, b = k[..., ::2], k[..., 1::2]
    k = torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
    logits = q @ k.transpose(-2, -1) / math.sqrt(d)
    mask = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return logits.masked_fill(mask, -math.inf).softmax(-1) @ v
