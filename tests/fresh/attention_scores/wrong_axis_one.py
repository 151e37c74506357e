# The width is read from axis 1.
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[1])
