# Padding is always thought to be at the end.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    T = q.shape[2]
    real = torch.arange(T) < real.sum(dim=1, keepdim=True)
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(T)
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
