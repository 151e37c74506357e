# In float64 on the way, then back to the dtype of q.
def attention_scores(q, k):
    return (q.double() @ k.double().transpose(-1, -2) / math.sqrt(q.shape[-1])).to(q.dtype)
