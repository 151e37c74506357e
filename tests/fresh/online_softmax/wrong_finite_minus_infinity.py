# Replaces −inf by −1e9, so the empty state has another m.
def online_softmax(state, logits, values):
    m, ell, a = state
    m, logits = m.clamp(min=-1e9), logits.clamp(min=-1e9)
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values
