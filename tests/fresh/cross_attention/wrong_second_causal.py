# keeps the causal mask, as in self-attention
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o
