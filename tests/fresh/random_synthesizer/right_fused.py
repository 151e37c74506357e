# fused attention with zero queries and R as an additive mask
def random_synthesizer(x, R, V):
    N, T, _ = x.shape
    mask = R[:T, :T] + torch.full((T, T), -torch.inf, dtype=R.dtype, device=R.device).triu(1)
    zero = x.new_zeros(N, T, 1)
    return F.scaled_dot_product_attention(zero, zero, x @ V, attn_mask=mask)
