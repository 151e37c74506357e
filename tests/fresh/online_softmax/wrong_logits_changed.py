# Takes the maximum off the caller's logits in place.
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    f = torch.exp(m - m_new)
    logits -= m_new
    return m_new, f * ell + logits.exp().sum(), f * a + logits.exp() @ values
