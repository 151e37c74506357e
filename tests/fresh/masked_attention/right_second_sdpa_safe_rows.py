# torch's own attention; rows without any key may look everywhere and are multiplied by 0 afterwards
def masked_attention(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, T)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool, device=q.device).tril()
    some = allowed.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some)
    return out * some.to(q.dtype)
