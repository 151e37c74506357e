# Logs and exponentials without a maximum; m is only carried along.
def online_softmax(state, logits, values):
    m, ell, a = state
    top = torch.maximum(m, logits.max())
    if top == -math.inf:
        return state
    e = logits.exp()
    return top, (m.exp() * ell + e.sum()) / top.exp(), (m.exp() * a + e @ values) / top.exp()
