"""Exercise online_softmax: attention of one query, one tile of keys at a time."""

from __future__ import annotations

import math
import random

import torch
from course_exercises._kernel_parts import Slips, State, in_float32, nothing_summed, same_state, state_after
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import draw


def slips(before: State, logits: Tensor, values: Tensor) -> Slips:
    """The parts of a state that common mistakes give, by the sentence about the mistake."""
    own, now = state_after(logits, values), torch.maximum(before[0], logits.max())
    added, factor = torch.exp(logits - now), torch.exp(before[0] - now)
    ell, a = factor * before[1] + added.sum(), factor * before[2] + added @ values
    raw = (
        torch.exp(before[0]) * before[1] + logits.exp().sum(),
        torch.exp(before[0]) * before[2] + logits.exp() @ values,
    )
    unscaled = before[1] + added.sum(), before[2] + added @ values
    upside_down = before[1] / factor + added.sum(), before[2] / factor + added @ values
    return {
        "the state from before this tile is returned; its keys that are not masked should count": before,
        "the empty state is returned; the keys before this tile should count, too": (
            nothing_summed(len(values[0]))
        ),
        "the state of the tile alone is returned, and the keys before it are lost": own,
        "the old sum is not rescaled; measured from the old m, it needs the factor e^(m_old − m_new)": (
            None,
            *unscaled,
        ),
        "the factor is upside down; it should be e^(m_old − m_new)": (None, *upside_down),
        "the keys of the tile alone are counted, and those before it are lost": (None, *own[1:]),
        "the largest logit of the tile alone is taken, and an earlier one was larger": (own[0], None, None),
        "the old m is returned": (before[0], ell, a),
        "a is divided by ell, or holds averages of values; it is a plain sum, divided only at the end": (
            None,
            None,
            a / ell,
        ),
        "nothing is subtracted before exp": (None, *raw),
        "one of several equal largest logits of the tile is counted, and the others are not": (
            None,
            ell - (logits == logits.max()).sum().sub(1) * torch.exp(logits.max() - now),
            None,
        ),
        "one factor is used for all values; each value should have its own, e^(s − m)": (
            None,
            None,
            factor * before[2] + added.sum() * values.mean(dim=0),
        ),
    }


def judged(answer: Answer, before: State, logits: Tensor, values: Tensor, after: State, where: str) -> None:
    """Raise NotYet unless the answer takes the state `before` to the state `after`."""
    same_state(answer(before, logits, values), after, where, slips(before, logits, values))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The example; random tiles with a larger and a smaller maximum;
    large logits; masked keys; keys with a small weight; the dtype; effects.
    """
    logits = torch.tensor([1.0, 2.0, 8.0, 4.0], dtype=torch.float64).log()
    values = torch.tensor([[10.0], [20.0], [30.0], [40.0]], dtype=torch.float64)
    first, both = state_after(logits[:2], values[:2]), state_after(logits, values)
    judged(answer, nothing_summed(1), logits[:2], values[:2], first, "after the first tile of the example")
    judged(answer, first, logits[2:], values[2:], both, "after the second tile of the example")
    where = "after the first tile of the example, in a later call than the first"
    judged(answer, nothing_summed(1), logits[:2], values[:2], first, where)
    logits, values = draw(rng, 9), draw(rng, 9, 3)
    where = "for a first tile of four keys, whose values have three numbers each"
    first = state_after(logits[:4], values[:4])
    judged(answer, nothing_summed(3), logits[:4], values[:4], first, where)
    for name, place in (("larger", 6), ("smaller", 1)):
        peak = logits.clone()
        peak[place] = 4.0
        where = f"after a tile whose largest logit is {name} than all before"
        judged(
            answer, state_after(peak[:4], values[:4]), peak[4:], values[4:], state_after(peak, values), where
        )
    for two, said in (([-3.0, -2.0], "−3 and −2"), ([-math.inf, 1.0], "−∞ and 1")):
        given = torch.tensor(two, dtype=torch.float64), values[:2, :1]
        where = f"for a first tile with the logits {said}"
        judged(answer, nothing_summed(1), *given, state_after(*given), where)
    large = 1000.0 + logits
    where = "with logits of about 1000"
    judged(
        answer, state_after(large[:4], values[:4]), large[4:], values[4:], state_after(large, values), where
    )
    low = logits - 1003.0
    first, where = state_after(low[:4], values[:4]), "for a first tile with logits of about −1000"
    judged(answer, nothing_summed(3), low[:4], values[:4], first, where)
    low[0] = low[2] = -math.inf
    first, both = state_after(low[:4], values[:4]), state_after(low, values)
    where += ", of which the first and the third are masked"
    judged(answer, nothing_summed(3), low[:4], values[:4], first, where)
    judged(answer, first, low[4:], values[4:], both, "for a later tile with logits of about −1000")
    some = logits.clone()
    some[5:7] = -math.inf
    where = "for a tile in which two of five keys are masked (−inf)"
    judged(answer, state_after(some[:4], values[:4]), some[4:], values[4:], state_after(some, values), where)
    masked = torch.full((2,), -math.inf, dtype=torch.float64)
    where = "where every key of the first tile is masked"
    judged(answer, nothing_summed(3), masked, values[:2], nothing_summed(3), where)
    before = state_after(logits[:4], values[:4])
    judged(answer, before, masked, values[:2], before, "where every key of a later tile is masked")
    small = torch.tensor([0.0, -11.0, 0.5, -12.0], dtype=torch.float64)
    where = "for keys whose logits are 11 and more below the largest one"
    judged(answer, nothing_summed(3), small, values[:4], state_after(small, values[:4]), where)
    level = torch.tensor([1.0, 3.0, 3.0, 0.0, 3.0, 3.0, 2.0], dtype=torch.float64)
    zero = torch.tensor([0.0, -1.0, -2.0, -3.0], dtype=torch.float64)
    far, heavy = torch.tensor([0.5, -24.5], dtype=torch.float64), torch.tensor([[1.0], [1e12]]).double()
    for row, numbers, start, end, where in (
        (level, values, 2, 4, "for a tile whose largest logit is that of the keys before it"),
        (level, values, 1, 4, "for a tile in which two logits are the largest"),
        (level, values, 3, 7, "for a tile with two largest logits, as large as that of the keys before"),
        (zero, values, 2, 4, "where m of the given state is exactly 0"),
        (far, heavy, 1, 2, "for a key 25 below the largest logit, of the value 10¹²"),
    ):
        first, both = state_after(row[:start], numbers[:start]), state_after(row[:end], numbers[:end])
        judged(answer, first, row[start:end], numbers[start:end], both, where)
    in_float32(answer, before, logits[4:], values[4:])
    leaves_alone(answer, ("the state", "logits", "values"), before, logits[4:], values[4:])
    return right("one pass over the keys, and the state is two numbers and one vector")


EXERCISE = Exercise(
    id="online_softmax",
    title="The online softmax",
    order=1,
    points=4,
    difficulty=3,
    importance=5,
    minutes=20,
    source="Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022",
    hints=(
        (
            "Follow the second tile of the worked example line by line: the new m first, then the factor,"
            " then the two sums. Which line uses the tile's logits, and which line uses the old state?"
        ),
        (
            "ell and a are treated alike: the old sum times the factor e^(m_old − m_new), plus the tile's own"
            " terms. The tile's terms of a are e^(s − m_new) · v, summed over the keys of the tile: a vector"
            " (n,) times a matrix (n, d)."
        ),
        (
            "If the new m is still −inf, then all keys so far are masked: return the state as it is, because"
            " −inf − (−inf) is nan. In all other cases the formulas of the text are right as they are, and"
            " exp(−inf) = 0 does the rest."
        ),
    ),
    check=check,
    optional=True,
)
