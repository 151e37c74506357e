# Weights are masked after the softmax.
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    w = torch.softmax(attention_scores(q, k), dim=-1)
    w = w * real[:, None, None, :]
    if causal:
        w = w.tril()
    return w @ v
