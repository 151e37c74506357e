# The new state is always float64.
def online_softmax(state, logits, values):
    m, ell, a = (part.double() for part in state)
    logits, values = logits.double(), values.double()
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return m, ell, a
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values
