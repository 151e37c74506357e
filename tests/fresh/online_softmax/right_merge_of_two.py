# The tile gets a state of its own; then two states are added.
def online_softmax(state, logits, values):
    real = logits > -torch.inf
    if not real.any():
        return tuple(part.clone() for part in state)
    s, v = logits[real], values[real]
    own = s.max()
    m = torch.stack((state[0], own)).max()
    left, right = torch.exp(state[0] - m), torch.exp(own - m)
    e = torch.exp(s - own)
    return m, left * state[1] + right * e.sum(), left * state[2] + right * (e[None] @ v)[0]
