# The padding of row 0 is used for all rows.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[0]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
