# masked keys are thrown away first; nothing new means a copy of the old state
def online_softmax(state, logits, values):
    m, ell, a = state
    seen = logits != -math.inf
    if not seen.any():
        return m.clone(), ell.clone(), a.clone()
    logits, values = logits[seen], values[seen]
    top = torch.maximum(m, logits.max())
    old, new = (m - top).exp(), (logits - top).exp()
    return top, old * ell + new.sum(), old * a + torch.einsum("n,nd->d", new, values)
