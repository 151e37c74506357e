# minus a billion instead of minus infinity: a query without keys averages everything
def masked_attention(q, k, v, real, causal):
    T = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~real[:, None, None, :], -1e9)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -1e9)
    return torch.softmax(scores, dim=-1) @ v
