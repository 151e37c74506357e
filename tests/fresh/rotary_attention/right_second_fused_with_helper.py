# a helper for the rotation, then torch's fused attention
def rotary_attention(q, k, v):
    def turned(x):
        T, d = x.shape[-2:]
        speed = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2, device=x.device).double() / d)
        angle = torch.arange(T, device=x.device).double().unsqueeze(1) * speed
        cos = angle.cos().repeat_interleave(2, dim=1).to(x.dtype)
        sin = angle.sin().repeat_interleave(2, dim=1).to(x.dtype)
        crossed = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        return x * cos + crossed * sin

    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
