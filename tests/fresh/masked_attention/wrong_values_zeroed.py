# Values of padding are set to 0, in place, and scores are not masked.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    v *= real[:, None, :, None]
    s = attention_scores(q, k)
    if causal:
        s = s.masked_fill(~causal_mask(q.shape[2]), -math.inf)
    return torch.softmax(s, dim=-1) @ v
