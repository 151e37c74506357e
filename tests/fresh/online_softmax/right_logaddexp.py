# Logarithms of the sums, and back at the end.
def online_softmax(state, logits, values):
    m, ell, a = state
    top = torch.maximum(m, logits.max())
    total = torch.logaddexp(m + ell.log(), logits.logsumexp(0))
    shift = top if top > -math.inf else torch.zeros_like(top)
    weights = (logits - shift).exp()[:, None]
    return top, (total - shift).exp(), (m - shift).exp() * a + (weights * values).sum(dim=0)
