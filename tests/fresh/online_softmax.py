"""Fresh answers to online_softmax."""


# One key after the other; returns a list.
def right_key_by_key(state, logits, values):
    m, ell, a = state
    for s, v in zip(logits, values):
        if s == -math.inf:
            continue
        top = torch.maximum(m, s)
        ell = ell * (m - top).exp() + (s - top).exp()
        a = a * (m - top).exp() + (s - top).exp() * v
        m = top
    return [m.clone(), ell.clone(), a.clone()]


# Logarithms of the sums, and back at the end.
def right_logaddexp(state, logits, values):
    m, ell, a = state
    top = torch.maximum(m, logits.max())
    total = torch.logaddexp(m + ell.log(), logits.logsumexp(0))
    shift = top if top > -math.inf else torch.zeros_like(top)
    weights = (logits - shift).exp()[:, None]
    return top, (total - shift).exp(), (m - shift).exp() * a + (weights * values).sum(dim=0)


# The tile gets a state of its own; then two states are added.
def right_merge_of_two(state, logits, values):
    real = logits > -torch.inf
    if not real.any():
        return tuple(part.clone() for part in state)
    s, v = logits[real], values[real]
    own = s.max()
    m = torch.stack((state[0], own)).max()
    left, right = torch.exp(state[0] - m), torch.exp(own - m)
    e = torch.exp(s - own)
    return m, left * state[1] + right * e.sum(), left * state[2] + right * (e[None] @ v)[0]


# A named tuple for the state, and a clamp against −inf.
right_named_tuple = """
import collections

State = collections.namedtuple("State", "m ell a")


def online_softmax(state, logits, values):
    old = State(*state)
    m = torch.maximum(old.m, logits.amax(0))
    safe = m.clamp(min=torch.finfo(m.dtype).min)
    p = torch.exp(logits - safe)
    r = torch.exp(old.m - safe)
    return State(m, r * old.ell + p.sum(), r * old.a + values.T @ p)
"""


# The two nan of −inf − (−inf) become 0.
def right_nan_to_num(state, logits, values):
    m, ell, a = state
    new = torch.max(m, torch.max(logits))
    factor = (m - new).exp().nan_to_num(0.0)
    terms = (logits - new).exp().nan_to_num(0.0)
    return new, factor * ell + terms.sum(), factor * a + terms @ values


# In numpy, with new tensors at the end.
def right_numpy(state, logits, values):
    m, ell, a = (each.numpy() for each in state)
    s, v = logits.numpy(), values.numpy()
    top = max(m, s.max())
    if np.isneginf(top):
        return tuple(torch.as_tensor(np.array(each)) for each in (m, ell, a))
    e, f = np.exp(s - top), np.exp(m - top)
    return tuple(torch.as_tensor(each, dtype=logits.dtype) for each in (top, f * ell + e.sum(), f * a + e @ v))


# The old maximum is one more logit, and torch.where takes care of −inf.
def right_one_more_logit(state, logits, values):
    m, ell, a = state
    m_new = torch.cat((m.reshape(1), logits)).amax()
    base = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    e = torch.exp(logits - base)
    f = torch.exp(m - base)
    return m_new, ell * f + e.sum(), a * f + torch.einsum("n,nd->d", e, values)


# masked keys are thrown away first; nothing new means a copy of the old state
def right_second_early_return(state, logits, values):
    m, ell, a = state
    seen = logits != -math.inf
    if not seen.any():
        return m.clone(), ell.clone(), a.clone()
    logits, values = logits[seen], values[seen]
    top = torch.maximum(m, logits.max())
    old, new = (m - top).exp(), (logits - top).exp()
    return top, old * ell + new.sum(), old * a + torch.einsum("n,nd->d", new, values)


# folds the keys in one at a time with functools.reduce and an inner function
right_second_key_by_key_reduce = '''
from functools import reduce


def online_softmax(state, logits, values):
    """One key at a time."""

    def one_more(state, key):
        m, ell, a = state
        s, v = key
        if s.item() == -math.inf:
            return state
        if s > m:
            shrink = torch.exp(m - s)
            return s.clone(), shrink * ell + 1, shrink * a + v
        weight = torch.exp(s - m)
        return m, ell + weight, a + weight * v

    copies = tuple(part.clone() for part in state)
    return reduce(one_more, zip(logits, values), copies)
'''


# Only ell is rescaled.
def wrong_a_not_rescaled(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), a + e @ values


# The new state is always float64.
def wrong_always_double(state, logits, values):
    m, ell, a = (part.double() for part in state)
    logits, values = logits.double(), values.double()
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return m, ell, a
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values


# Replaces −inf by −1e9, so the empty state has another m.
def wrong_finite_minus_infinity(state, logits, values):
    m, ell, a = state
    m, logits = m.clamp(min=-1e9), logits.clamp(min=-1e9)
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values


# Leaves out keys more than 10 below the maximum.
def wrong_ignores_small_logits(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    e = torch.where(logits > m_new - 10, torch.exp(logits - m_new), 0.0)
    f = torch.exp(m - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values


# Keeps the state between calls and ignores the argument, except for an empty one.
wrong_keeps_its_own_state = """
KEPT = []


def online_softmax(state, logits, values):
    if state[0] == -math.inf or not KEPT:
        KEPT[:] = [state]
    m, ell, a = KEPT[0]
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    KEPT[0] = (m_new, f * ell + e.sum(), f * a + e @ values)
    return KEPT[0]
"""


# Takes the maximum off the caller's logits in place.
def wrong_logits_changed(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    f = torch.exp(m - m_new)
    logits -= m_new
    return m_new, f * ell + logits.exp().sum(), f * a + logits.exp() @ values


# No care for −inf − (−inf).
def wrong_masked_tile_is_nan(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values


# A tile of masked keys gives the empty state, even later.
def wrong_masked_tile_starts_anew(state, logits, values):
    m, ell, a = state
    if torch.isinf(logits).all():
        return torch.full_like(m, -math.inf), torch.zeros_like(ell), torch.zeros_like(a)
    m_new = torch.maximum(m, logits.max())
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    return m_new, f * ell + e.sum(), f * a + e @ values


# Logs and exponentials without a maximum; m is only carried along.
def wrong_no_maximum(state, logits, values):
    m, ell, a = state
    top = torch.maximum(m, logits.max())
    if top == -math.inf:
        return state
    e = logits.exp()
    return top, (m.exp() * ell + e.sum()) / top.exp(), (m.exp() * a + e @ values) / top.exp()


# Returns the output, a / ell.
def wrong_output_in_place_of_a(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f, e = torch.exp(m - m_new), torch.exp(logits - m_new)
    ell = f * ell + e.sum()
    return m_new, ell, (f * a + e @ values) / ell


# Forgets the terms of the tile if the maximum stays.
def wrong_rescales_only_up(state, logits, values):
    m, ell, a = state
    top = logits.max()
    if top == -math.inf:
        return state
    if top > m:
        f, e = torch.exp(m - top), torch.exp(logits - top)
        return top, f * ell + e.sum(), f * a + e @ values
    e = torch.exp(logits - top)
    return m, ell + e.sum(), a + e @ values


# Multiplies the old sums in place.
def wrong_state_changed(state, logits, values):
    m, ell, a = state
    m_new = torch.maximum(m, logits.max())
    if m_new == -math.inf:
        return state
    f = torch.exp(m - m_new)
    e = torch.exp(logits - m_new)
    ell *= f
    a *= f
    return m_new, ell + e.sum(), a + e @ values


# the formula as it is: nan if all keys so far are masked
def wrong_second_all_masked_is_nan(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), factor * a + p @ values


# takes the maximum of the tile in place of the larger of old and new
def wrong_second_maximum_of_the_tile(state, logits, values):
    m, ell, a = state
    new = logits.max()
    if new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), factor * a + p @ values


# the old sum is rescaled but the old output is not
def wrong_second_output_not_rescaled(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return m.clone(), ell.clone(), a.clone()
    factor = torch.exp(m - new)
    p = torch.exp(logits - new)
    return new, factor * ell + p.sum(), a + p @ values


# Returns what does not change as it is: the old state where every key is masked, the old m where it stays.
def right_returns_what_stays(state, logits, values):
    m, ell, a = state
    largest = logits.max()
    if m >= largest and largest == -math.inf:
        return state
    new = m if m >= largest else largest
    factor, e = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + e.sum(), factor * a + e @ values


# a view of the only value of a first tile
def right_view_of_the_value(state, logits, values):
    m, ell, a = state
    if len(logits) == 1 and m == -math.inf and logits[0] > -math.inf:
        return logits[0], torch.ones_like(ell), values[0]
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return m, ell, a
    factor, e = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + e.sum(), factor * a + e @ values


# the maximum is at least 0: small logits keep m = 0 (and tiny sums)
def wrong_m_at_least_zero(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return m, ell, a
    new = new.clamp(min=0)
    e, f = (logits - new).exp(), (m - new).exp()
    return new, f * ell + e.sum(), f * a + e @ values


# masked keys are replaced by -1000: real logits around -1000 do not differ from them
def wrong_minus_1000(state, logits, values):
    m, ell, a = state
    if (logits == -math.inf).all():
        return m, ell, a
    logits = logits.clamp(min=-1000.0)
    new = torch.maximum(m, logits.max())
    e, f = (logits - new).exp(), (m - new).exp()
    return new, f * ell + e.sum(), f * a + e @ values


# of keys with equal logits only the last counts
def wrong_fourth_equal_logits_lost(state, logits, values):
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf: return state
    d = {l.item(): v for l, v in zip(logits, values)}
    w = torch.exp(torch.tensor(list(d), dtype=logits.dtype) - new)
    f = torch.exp(m - new)
    return new, f * ell + w.sum(), f * a + w @ torch.stack(list(d.values()))
