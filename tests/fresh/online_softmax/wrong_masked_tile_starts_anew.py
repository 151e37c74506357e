# A tile of masked keys gives the empty state, even later.
def online_softmax(state, logits, values):
    m, ell, a = state
    if torch.isinf(logits).all():
        return torch.full_like(m, -math.inf), torch.zeros_like(ell), torch.zeros_like(a)
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values
