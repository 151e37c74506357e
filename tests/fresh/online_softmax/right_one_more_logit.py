# The old maximum is one more logit, and torch.where takes care of −inf.
def online_softmax(state, logits, values):
    m, ell, a = state
    m_new = torch.cat((m.reshape(1), logits)).amax()
    base = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    e = torch.exp(logits - base)
    f = torch.exp(m - base)
    return m_new, ell * f + e.sum(), a * f + torch.einsum("n,nd->d", e, values)
