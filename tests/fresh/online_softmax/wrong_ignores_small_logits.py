# Leaves out keys more than 10 below the maximum.
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    e = torch.where(logits > m_new - 10, torch.exp(logits - m_new), 0.0)
    f = torch.exp(m - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values
