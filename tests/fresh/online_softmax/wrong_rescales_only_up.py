# Forgets the terms of the tile if the maximum stays.
def online_softmax(state, logits, values):
    m, ell, a = state
    top = logits.max()
    if top == -math.inf:
        return state
    if top > m:
        f, e = torch.exp(m - top), torch.exp(logits - top)
        return top, f * ell + e.sum(), f * a + e @ values
    e = torch.exp(logits - top)
    return m, ell + e.sum(), a + e @ values
