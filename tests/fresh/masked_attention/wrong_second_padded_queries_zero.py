# also sets the outputs of padded queries to 0
def masked_attention(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :] & real[:, None, :, None]
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.softmax(scores.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0), dim=-1)
    return (weights * allowed) @ v
