# the old sum is rescaled but the old output is not
def online_softmax(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), a + p @ values
