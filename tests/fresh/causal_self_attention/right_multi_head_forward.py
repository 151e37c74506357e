# torch's function for the whole layer.
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    y = x.transpose(0, 1)
    out, _ = F.multi_head_attention_forward(
        y, y, y, d, n_head, torch.cat((w_q.T, w_k.T, w_v.T)), None, None, None, False, 0.0, w_o.T, None,
        need_weights=False, attn_mask=torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1),
    )
    return out.transpose(0, 1)
