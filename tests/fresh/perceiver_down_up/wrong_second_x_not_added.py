# returns the attention of the way up without adding x
def perceiver_down_up(x, basis):
    N, T, d = x.shape
    m = len(basis)
    y = F.scaled_dot_product_attention(
        basis.expand(N, m, d), x, x, attn_mask=torch.ones(m, T, dtype=torch.bool, device=x.device).tril()
    )
    out = F.scaled_dot_product_attention(x, y, y, attn_mask=torch.ones(T, m, dtype=torch.bool, device=x.device).tril())
    return y, out
