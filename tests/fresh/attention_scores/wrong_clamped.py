# Scores are clamped to keep the softmax safe.
def attention_scores(q, k):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-5, 5)
