# k is transposed in place.
def attention_scores(q, k):
    k.transpose_(-2, -1)
    return q @ k / math.sqrt(q.shape[-1])
