# d ** 1 / 2 is half of d.
def attention_scores(q, k):
    d = q.shape[-1]
    return q @ k.transpose(-2, -1) / d ** 1 / 2
