# Vectors are normalised to length 1 first.
def attention_scores(q, k):
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1) / math.sqrt(q.shape[-1])
