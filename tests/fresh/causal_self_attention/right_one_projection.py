# Queries, keys and values in one product, split by chunk.
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = (x @ torch.cat((w_q, w_k, w_v), dim=1)).view(B, T, 3, n_head, -1).permute(2, 0, 3, 1, 4)
    s = q @ k.transpose(-1, -2) * (d // n_head) ** -0.5
    i = torch.arange(T, device=x.device)
    s = torch.where(i[:, None] >= i, s, torch.finfo(s.dtype).min)
    return (torch.softmax(s, -1) @ v).transpose(1, 2).contiguous().view(B, T, d) @ w_o
