# k qᵀ, transposed: the result is not contiguous.
def attention_scores(q, k):
    return (k @ q.swapaxes(-1, -2) / q.shape[-1] ** 0.5).swapaxes(-1, -2)
