# No care for −inf − (−inf).
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values
