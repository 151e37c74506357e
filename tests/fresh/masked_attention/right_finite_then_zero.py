# The smallest finite number, and the weights times the mask.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    scores = attention_scores(q, k)
    allowed = real[:, None, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[-2])
    scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    return (scores.softmax(-1) * allowed) @ v
