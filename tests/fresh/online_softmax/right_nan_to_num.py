# The two nan of −inf − (−inf) become 0.
def online_softmax(state, logits, values):
    m, ell, a = state
    new = torch.max(m, torch.max(logits))
    factor = (m - new).exp().nan_to_num(0.0)
    terms = (logits - new).exp().nan_to_num(0.0)
    return new, factor * ell + terms.sum(), factor * a + terms @ values
