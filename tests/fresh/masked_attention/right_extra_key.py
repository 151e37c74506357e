# An extra key with value 0 that only lonely queries see.
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    B, h, T, _ = q.shape
    allowed = real[:, None, None, :].repeat(1, h, T, 1)
    if causal:
        allowed &= causal_mask(T)
    lonely = ~allowed.any(dim=-1, keepdim=True)
    scores = torch.cat((attention_scores(q, k), torch.zeros(B, h, T, 1).to(q)), dim=-1)
    scores = scores.masked_fill(~torch.cat((allowed, lonely), dim=-1), float("-inf"))
    return torch.softmax(scores, dim=-1) @ torch.cat((v, torch.zeros_like(v[:, :, :1])), dim=2)
