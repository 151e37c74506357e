# the formula as it is: nan if all keys so far are masked
def online_softmax(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), factor * a + p @ values
