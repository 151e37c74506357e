# -1e9: a query without a key gets the mean of all values.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    return torch.softmax(attention_scores(q, k).masked_fill(~allowed, -1e9), dim=-1) @ v
