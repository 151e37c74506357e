# A named tuple for the state, and a clamp against −inf.
import collections

State = collections.namedtuple("State", "m ell a")


def online_softmax(state, logits, values):
    old = State(*state)
    m = torch.maximum(old.m, logits.amax(0))
    safe = m.clamp(min=torch.finfo(m.dtype).min)
    p = torch.exp(logits - safe)
    r = torch.exp(old.m - safe)
    return State(m, r * old.ell + p.sum(), r * old.a + values.T @ p)
