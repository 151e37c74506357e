# Only rows without any token are handled, not padding at the start.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    out = torch.softmax(s, dim=-1) @ v
    return torch.where(real.any(dim=1)[:, None, None, None], out, 0.0)
