# The weights instead of the scores.
def attention_scores(q, k):
    return F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
