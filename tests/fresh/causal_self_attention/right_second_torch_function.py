# one projection for q, k and v together, and torch's own causal attention
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    qkv = x @ torch.cat((w_q, w_k, w_v), dim=1)
    q, k, v = (t.unflatten(-1, (n_head, -1)).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return out.transpose(1, 2).flatten(2) @ w_o
