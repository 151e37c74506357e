# -10000 and weights that are then masked: big scores leak.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k) + (~allowed) * -100.0
    return (torch.softmax(s, dim=-1) * allowed) @ v
