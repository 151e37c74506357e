# torch's own attention with a mask, then nan to 0.
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).tril()
    return torch.nan_to_num(F.scaled_dot_product_attention(q, k, v, attn_mask=allowed))
