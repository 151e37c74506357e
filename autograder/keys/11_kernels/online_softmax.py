"""Answer key of online_softmax.

The state is defined by the statement, so it is compared after every chunk, given a right state before it. `test_11_kernels.py`
compares a pass over chunks of any sizes with a softmax over all.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises._kernel_parts import State, nothing_read, same_state, state_after

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import again, draw


def passes(rng: random.Random) -> list[tuple[State, torch.Tensor, torch.Tensor, State, str]]:
    """Steps of several passes: state before, logits, values, state after, and a name."""
    made = []
    for n, chunk, d, loud, hidden in ((12, 4, 5, 1.0, 0.0), (7, 1, 1, 3.0, 0.3), (10, 5, 4, 800.0, 0.0), (9, 3, 2, 2.0, 0.6)):
        logits, values = draw(rng, n, scale=loud), draw(rng, n, d)
        logits[torch.tensor([rng.random() < hidden for _ in range(n)])] = -math.inf
        logits[:chunk] = -math.inf if hidden > 0.5 else logits[:chunk]
        for start in range(0, n, chunk):
            before = state_after(logits[:start], values[:start]) if start else nothing_read(d)
            part, after = slice(start, start + chunk), state_after(logits[: start + chunk], values[: start + chunk])
            made.append((before, logits[part], values[part], after, f"for logits {start} to {start + chunk - 1} of {n}"))
    return made


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Chunks of one to five keys, loud logits, some and whole chunks hidden."""
    for before, logits, values, after, where in passes(rng):
        same_state(again(answer, before, logits, values), after, where)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every step of the passes."""
    return [step[:3] for step in passes(rng)]


def online_softmax(state, logits, values):
    """The reference."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state  # nothing may be read yet
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return now, shrink * total + powers.sum(), shrink * read + powers @ values


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
    """What was read so far stands in as one more key, whose value is the mean of what it read."""
    largest, total, read = state
    mean = torch.nan_to_num(read / total)
    every = torch.cat((largest[None], logits))
    count = torch.cat((total[None], torch.ones_like(logits)))
    top = every.max()
    weight = torch.nan_to_num(torch.exp(every - top)) * count
    return top, weight.sum(), torch.cat((mean[None], values)).T.mv(weight)


def by_logsumexp(state, logits, values):
    """The logarithm of the sum is carried on, and the rest worked out from it."""
    largest, total, read = state
    before = largest + total.log()
    whole = torch.logsumexp(torch.stack([before, logits.logsumexp(0)]), dim=0)
    peak = max(largest, logits.amax())
    if torch.isinf(peak):
        return peak, total, read
    e = [math.exp(z - peak) for z in logits.tolist()]
    return peak, (whole - peak).exp(), read * math.exp(largest - peak) + sum(w * v for w, v in zip(e, values, strict=True))


def two_states(state, logits, values):
    """The chunk is turned into a state of its own, then the two are put together with weights that never divide by nothing."""
    top = logits.max().clamp(min=-1e300)
    own = (logits - top).exp()
    m = torch.stack((state[0].clamp(min=-1e300), top))
    scale = torch.softmax(m, dim=0) / torch.softmax(m, dim=0).max()
    sums = torch.stack((state[1], own.sum()))
    reads = torch.stack((state[2], torch.einsum("n,nd->d", own, values)))
    biggest = m.max()
    return biggest if biggest > -1e300 else biggest * math.inf, (scale * sums).sum(), (scale[:, None] * reads).sum(0)


def nothing_shrinks(state, logits, values):
    """When a larger logit comes, what was added up before is still measured from the old one: multiply total and read by
    exp(old largest − new largest).
    """
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    powers = torch.exp(logits - now)
    return now, total + powers.sum(), read + powers @ values


def read_does_not_shrink(state, logits, values):
    """You shrink the total and forget the read: both were measured from the old largest logit, so both take the factor."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    powers = torch.exp(logits - now)
    return now, torch.exp(largest - now) * total + powers.sum(), read + powers @ values


def total_does_not_shrink(state, logits, values):
    """You shrink the read and forget the total: both were measured from the old largest logit, so both take the factor."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    powers = torch.exp(logits - now)
    return now, total + powers.sum(), torch.exp(largest - now) * read + powers @ values


def grows_instead(state, logits, values):
    """Your factor is upside down, exp(new − old): it makes what was read before larger when a larger logit comes, and
    overflows.
    """
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    grow, powers = torch.exp(now - torch.clamp(largest, min=-1e6)), torch.exp(logits - now)
    return now, grow.clamp(max=1e300) * total + powers.sum(), grow.clamp(max=1e300) * read + powers @ values


def nothing_subtracted(state, logits, values):
    """You exponentiate the logits as they are: exp(1000) is infinite. Subtract the largest so far, from every one."""
    largest, total, read = state
    powers = torch.exp(logits)
    return torch.maximum(largest, logits.max()), total + powers.sum(), read + powers @ values


def largest_of_the_chunk(state, logits, values):
    """You measure from the chunk's own largest logit; the largest of all so far may be in an earlier chunk."""
    largest, total, read = state
    now = logits.max()
    if now == -math.inf:
        return state
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return now, shrink * total + powers.sum(), shrink * read + powers @ values


def forgets_the_past(state, logits, values):
    """You return the chunk's own sums: what the state had added up is lost."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    powers = torch.exp(logits - now)
    return now, powers.sum(), powers @ values


def nan_where_nothing_is_read(state, logits, values):
    """Where neither the state nor the chunk has anything to read, the largest is −inf on both sides, and −inf − (−inf) is nan:
    then leave the state as it is.
    """
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return now, shrink * total + powers.sum(), shrink * read + powers @ values


def divided_every_time(state, logits, values):
    """You divide by the total after every chunk. The state holds plain sums; dividing is left to the very end, once."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    count = shrink * total + powers.sum()
    return now, count, (shrink * read + powers @ values) / count


def largest_stays(state, logits, values):
    """Your sums are right, but you hand the old largest on: the next chunk will be measured from the wrong place."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return largest, shrink * total + powers.sum(), shrink * read + powers @ values


def order_exchanged(state, logits, values):
    """You return (total, largest, read); the state is (largest, total, read)."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return total, largest, read
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return shrink * total + powers.sum(), now, shrink * read + powers @ values


def averaged_values(state, logits, values):
    """You add the mean of the chunk's values to read; each value comes with its own weight, exp(logit − largest)."""
    largest, total, read = state
    now = torch.maximum(largest, logits.max())
    if now == -math.inf:
        return state
    shrink, powers = torch.exp(largest - now), torch.exp(logits - now)
    return now, shrink * total + powers.sum(), shrink * read + powers.sum() * values.mean(dim=0)


KEY = AnswerKey(
    id="online_softmax",
    hidden=hidden,
    reference=online_softmax,
    accepted=(a_logit_at_a_time, one_more_key, by_logsumexp, two_states),
    rejected=(
        *(nothing_shrinks, read_does_not_shrink, total_does_not_shrink, grows_instead, nothing_subtracted, largest_of_the_chunk),
        *(forgets_the_past, nan_where_nothing_is_read, divided_every_time, largest_stays, order_exchanged, averaged_values),
    ),
    fingerprint=fingerprint,
)
