# Rows without a token are marked as real, in real itself.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    empty = ~real.any(dim=1)
    real[empty] = True
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    out = torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
    out[empty] = 0
    return out
