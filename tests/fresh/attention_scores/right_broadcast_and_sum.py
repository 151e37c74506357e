# No matrix product: broadcasting and a sum.
def attention_scores(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(-1).div(math.sqrt(k.shape[-1]))
