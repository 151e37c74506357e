# Two additive masks, summed: the gradients are nan.
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    minus = torch.zeros(real.shape, dtype=q.dtype).masked_fill(~real, -math.inf)[:, None, None, :]
    if causal:
        minus = minus + torch.full((q.shape[2], q.shape[2]), -math.inf).triu(1)
    out = torch.einsum("bhqk,bhkd->bhqd", torch.softmax(attention_scores(q, k) + minus, -1), v)
    out[out.isnan()] = 0
    return out
