# Multiplies the old sums in place.
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f = torch.exp(m - m_new)
    e = torch.exp(logits - m_new)
    ell *= f
    a *= f
    return m_new, ell + e.sum(), a + e @ values
