# divides by the root of the whole width n_head * d_head
def rotary_attention(q, k, v):
    def turned(x):
        T, d = x.shape[-2:]
        speed = 10000.0 ** (-torch.arange(0, d, 2, device=x.device).double() / d)
        angle = torch.arange(T, device=x.device).double()[:, None] * speed
        c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)

    N, n_head, T, d_head = q.shape
    scale = (n_head * d_head) ** -0.5
    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, scale=scale)
