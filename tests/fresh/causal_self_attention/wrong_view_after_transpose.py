# view after transpose at the end.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(T).to(x.device), -math.inf)
    return (torch.softmax(s, dim=-1) @ v).transpose(1, 2).view(B, T, d) @ w_o
