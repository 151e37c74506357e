# The inverse root, computed in float32.
def attention_scores(q, k):
    return q @ k.mT * torch.rsqrt(torch.tensor(float(q.shape[-1])))
