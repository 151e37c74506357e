# The root is rounded down to a whole number.
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])
