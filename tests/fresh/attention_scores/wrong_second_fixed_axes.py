# exchanges axes 1 and 2: right for exactly one leading axis only
def attention_scores(q, k):
    return q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
