# Weights are masked after the softmax and divided by their sum; no key gives nan.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    w = torch.softmax(attention_scores(q, k), dim=-1) * allowed
    return w / (w.sum(dim=-1, keepdim=True) + 1e-3) @ v
