# k.T turns all axes round.
def attention_scores(q, k):
    return q @ k.T / math.sqrt(q.shape[-1])
