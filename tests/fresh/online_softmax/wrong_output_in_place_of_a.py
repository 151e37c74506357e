# Returns the output, a / ell.
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    ell = f * ell + e.sum()
    return m_new, ell, (f * a + e @ values) / ell
