"""Answer key of online_softmax.

The state is defined by the statement, so it is compared after every tile, given a right state before it.
`test_12_kernels.py` compares a pass over tiles of any sizes with a softmax over all keys.
"""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises._kernel_parts import (
    State,
    nothing_summed,
    same_state,
    shared_state,
    state_after,
    steady,
)
from course_exercises.online_softmax import slips

from autograder.answer_key import AnswerKey, mistakes
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import again, draw


def passes(rng: random.Random) -> list[tuple[State, torch.Tensor, torch.Tensor, State, str]]:
    """Steps of several passes: state before, logits, values, state after, and a name."""
    made = []
    for n, tile, d, scale, masked in (
        *((12, 4, 5, 1.0, 0.0), (7, 1, 1, 3.0, 0.3)),
        *((10, 5, 4, 800.0, 0.0), (9, 3, 2, 2.0, 0.6), (260, 130, 11, 2.0, 0.2)),
    ):
        logits, values = draw(rng, n, scale=scale), draw(rng, n, d)
        logits[torch.tensor([rng.random() < masked for _ in range(n)])] = -math.inf
        logits[:tile] = -math.inf if masked > 0.5 else logits[:tile]
        for start in range(0, n, tile):
            before = state_after(logits[:start], values[:start]) if start else nothing_summed(d)
            part, end = slice(start, start + tile), start + tile
            where = f"for logits {start} to {min(n, end) - 1} of {n}"
            made.append((before, logits[part], values[part], state_after(logits[:end], values[:end]), where))
    return made


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Tiles of one key to 130, large logits, masked keys and tiles, equal logits, keys with small weights."""
    for before, logits, values, after, where in passes(rng):
        same_state(again(answer, before, logits, values), after, where, slips(before, logits, values))
    level, far = torch.tensor([7.0, 7.0, -3.0, 7.0]).double(), torch.tensor([-25.0, 0.0, 1.0]).double()
    small, heavy = torch.tensor([0.25, -10.75, 0.5, -12.0]).double(), 1e12 ** (far < 0).double()[:, None]
    for logits, values, where in (
        (-torch.arange(3.0).double(), draw(rng, 3, 2), "where m of the given state is exactly 0"),
        (small[:2], 5.0 * draw(rng, 2, 3), "for a key whose logit is 11 below that of the key before"),
        (small, 5.0 * draw(rng, 4, 3), "for keys whose logits are 11 and more below the largest"),
        (level, draw(rng, 4, 3), "for a tile of two largest logits, as large as that of the key before it"),
        (far, heavy, "where the key before the tile is 25 below it, of the value 10¹²"),
    ):
        before, after = state_after(logits[:1], values[:1]), state_after(logits, values)
        same_state(answer(before, logits[1:], values[1:]), after, where)
    before, logits, values, after, where = passes(rng)[4]
    steady(answer, (before, logits, values), after, where)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every step of the passes, the example of the notebook, and a state whose parts share their memory."""
    logits = torch.tensor([1.0, 2.0, 8.0, 4.0], dtype=torch.float64).log()
    one = torch.ones(3, 1, dtype=torch.float64)
    calls: list[tuple[object, ...]] = [step[:3] for step in passes(rng)]
    return [*calls, (nothing_summed(1), logits[:3], one), (shared_state(()), logits[1:], one)]


def online_softmax(state, logits, values):
    """The reference."""
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state  # every key so far is masked
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + exponentials.sum(), factor * a + exponentials @ values


def a_logit_at_a_time(state, logits, values):
    """A loop over the keys."""
    m, total, acc = (each.clone() for each in state)
    for z, v in zip(logits.tolist(), values, strict=True):
        if z == -math.inf:
            continue
        if z > m:
            factor = math.exp(float(m) - z)
            total, acc, m = total * factor + 1.0, acc * factor + v, torch.full_like(m, z)
        else:
            weight = math.exp(z - float(m))
            total, acc = total + weight, acc + weight * v
    return m, total, acc


def one_more_key(state, logits, values):
    """All earlier keys are one more key, whose value is their mean."""
    largest, total, acc = state
    mean = torch.nan_to_num(acc / total)
    every = torch.cat((largest[None], logits))
    count = torch.cat((total[None], torch.ones_like(logits)))
    top = every.max()
    weight = torch.nan_to_num(torch.exp(every - top)) * count
    return top, weight.sum(), torch.cat((mean[None], values)).T.mv(weight)


def by_logsumexp(state, logits, values):
    """The logarithm of the sum, from which the rest is computed."""
    largest, total, acc = state
    before = largest + total.log()
    whole = torch.logsumexp(torch.stack([before, logits.logsumexp(0)]), dim=0)
    peak = max(largest, logits.amax())
    if torch.isinf(peak):
        return peak, total, acc
    e = [math.exp(z - peak) for z in logits.tolist()]
    return (
        peak,
        (whole - peak).exp(),
        acc * math.exp(largest - peak) + sum(w * v for w, v in zip(e, values, strict=True)),
    )


def two_states(state, logits, values):
    """The tile becomes a state of its own; the two are merged with weights that never divide by zero."""
    top = logits.max().clamp(min=-1e300)
    own = (logits - top).exp()
    m = torch.stack((state[0].clamp(min=-1e300), top))
    scale = torch.softmax(m, dim=0) / torch.softmax(m, dim=0).max()
    sums = torch.stack((state[1], own.sum()))
    accs = torch.stack((state[2], torch.einsum("n,nd->d", own, values)))
    biggest = m.max()
    return (
        biggest if biggest > -1e300 else biggest * math.inf,
        (scale * sums).sum(),
        (scale[:, None] * accs).sum(0),
    )


def in_numpy_and_lists(state, logits, values):
    """NumPy on the way; a list of a Python float, a number and a tensor comes back."""
    m, ell, a = (each.numpy() for each in state)
    z, v = logits.numpy(), values.numpy()
    new = max(m, z.max())
    safe = 0.0 if np.isinf(new) else new
    old, e = np.exp(m - safe), np.exp(z - safe)
    return [
        float(new),
        float(old * ell + e.sum()),
        torch.from_numpy(np.asarray(old * a + np.einsum("n,nd->d", e, v))),
    ]


def nothing_rescaled(state, logits, values):
    """You do not rescale the old sums. They were measured from the old m:
    multiply ell and a by e^(m_old − m_new).
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    exponentials = torch.exp(logits - new)
    return new, ell + exponentials.sum(), a + exponentials @ values


def factor_upside_down(state, logits, values):
    """Your factor is upside down, e^(m_new − m_old).
    It must be at most 1, because a larger m makes the old terms smaller.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    grow, exponentials = torch.exp(new - torch.clamp(m, min=-1e6)), torch.exp(logits - new)
    return (
        new,
        grow.clamp(max=1e300) * ell + exponentials.sum(),
        grow.clamp(max=1e300) * a + exponentials @ values,
    )


def nothing_subtracted(state, logits, values):
    """You exponentiate the logits as they are, and e^1000 is infinite in float64.
    Subtract m_new from each logit first.
    """
    m, ell, a = state
    exponentials = torch.exp(logits)
    return torch.maximum(m, logits.max()), ell + exponentials.sum(), a + exponentials @ values


def maximum_of_the_tile(state, logits, values):
    """Your m is the largest logit of the tile.
    The largest logit so far may be in an earlier tile: take the larger of the two.
    """
    m, ell, a = state
    new = logits.max()
    if new == -math.inf:
        return state
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + exponentials.sum(), factor * a + exponentials @ values


def forgets_the_past(state, logits, values):
    """You return the sums of the tile alone, so the keys before it are lost.
    Add the old sums, multiplied by the factor.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    exponentials = torch.exp(logits - new)
    return new, exponentials.sum(), exponentials @ values


def nan_where_all_is_masked(state, logits, values):
    """If every key so far is masked, you compute −inf − (−inf), which is nan: the old and the new m are both
    −inf. Return the state as it is.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + exponentials.sum(), factor * a + exponentials @ values


def first_tile_only(state, logits, values):
    """You return the old state if nothing was summed before.
    But then the tile counts: only a masked tile changes nothing.
    """
    m, ell, a = state
    if m == -math.inf or logits.max() == -math.inf:
        return state
    new = torch.maximum(m, logits.max())
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + exponentials.sum(), factor * a + exponentials @ values


def divided_every_time(state, logits, values):
    """You divide a by ell after every tile. The state holds the plain sum;
    divide once, after the last tile.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    total = factor * ell + exponentials.sum()
    return new, total, (factor * a + exponentials @ values) / total


def old_m_returned(state, logits, values):
    """Your sums are right, but you return the old m.
    The next tile would be measured from the wrong maximum.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return m, factor * ell + exponentials.sum(), factor * a + exponentials @ values


def order_exchanged(state, logits, values):
    """You return (ell, m, a). The order of the state should be (m, ell, a)."""
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return ell, m, a
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return factor * ell + exponentials.sum(), new, factor * a + exponentials @ values


def mean_of_the_values(state, logits, values):
    """You multiply the sum of the exponentials by the mean of the tile's values. Each value has its own
    factor, e^(s − m_new): write exponentials @ values.
    """
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    return new, factor * ell + exponentials.sum(), factor * a + exponentials.sum() * values.mean(dim=0)


def changed_in_place(state, logits, values):
    """A tensor of a given state is changed in place, by `m[…] = …`, `*=`, `+=` or a method such as `mul_`."""
    m, ell, a = state
    new = torch.maximum(m, logits.max())
    if new == -math.inf:
        return state
    factor, exponentials = torch.exp(m - new), torch.exp(logits - new)
    ell *= factor
    ell += exponentials.sum()
    a *= factor
    a += exponentials @ values
    return new, ell, a


CHANGED = mistakes(
    online_softmax,
    {
        "a_not_rescaled": (
            "You rescale ell but not a. Both were measured from the old m, so both are multiplied by"
            " e^(m_old − m_new).",
            {"factor * a": "a"},
        ),
        "ell_not_rescaled": (
            "You rescale a but not ell. Both were measured from the old m, so both are multiplied by"
            " e^(m_old − m_new).",
            {"factor * ell": "ell"},
        ),
        "one_entry_vectors": (
            "Your m and ell have shape (1,). They are single numbers, of shape ().",
            {
                "return state": "return m.reshape(1), ell.reshape(1), a",
                "new, factor * ell + exponentials.sum(),": (
                    "new.reshape(1), (factor * ell + exponentials.sum()).reshape(1),"
                ),
            },
        ),
    },
)

KEY = AnswerKey(
    id="online_softmax",
    hidden=hidden,
    reference=online_softmax,
    accepted=(a_logit_at_a_time, one_more_key, by_logsumexp, two_states, in_numpy_and_lists),
    rejected=(
        *(nothing_rescaled, factor_upside_down),
        *(nothing_subtracted, maximum_of_the_tile, forgets_the_past, nan_where_all_is_masked),
        *(first_tile_only, divided_every_time, old_m_returned, order_exchanged, mean_of_the_values),
        changed_in_place,
        *CHANGED,
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The new maximum comes first, because both sums are measured from it. The old sums were measured from the
    old maximum, so each of their terms, and therefore the whole sum, takes the factor
    $e^{m_\text{old}-m_\text{new}}$. The tile's own terms are measured from the new maximum at once. At the
    first tile $m_\text{old} = -\infty$, so the factor is $e^{-\infty} = 0$ and the formula holds without a
    special case. Only a tile in which the new maximum is still $-\infty$ needs one. The most common mistake
    is to rescale $\ell$ and to forget $a$: the weights then no longer belong to the values. The division by
    $\ell$ is left to the end, because only plain sums can be rescaled and added.
    """,
)
