# takes the maximum of the tile in place of the larger of old and new
def online_softmax(state, logits, values):
    m, ell, a = state
    new = logits.max()
    if new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), factor * a + p @ values
