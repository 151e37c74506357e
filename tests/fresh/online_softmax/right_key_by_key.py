# One key after the other; returns a list.
def online_softmax(state, logits, values):
    m, ell, a = state
    for s, v in zip(logits, values):
        if s == -math.inf:
            continue
        top = torch.maximum(m, s)
        ell = ell * (m - top).exp() + (s - top).exp()
        a = a * (m - top).exp() + (s - top).exp() * v
        m = top
    return [m.clone(), ell.clone(), a.clone()]
