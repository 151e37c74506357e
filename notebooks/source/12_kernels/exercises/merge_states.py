"""Exercise merge_states: combine two partial softmaxes."""

from __future__ import annotations

import random

import torch
from course_exercises._kernel_parts import Slips, State, same_state, state_after
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import draw

CASES = ("both", "left alone", "right alone", "neither")


def halves(rng: random.Random, rows: int, n: int, d: int, scale: float = 1.0) -> tuple[State, State, State]:
    """States of `rows` rows after the first and after the last keys, and after all.
    Some rows attend to one side or none.
    """
    logits, values = draw(rng, rows, n, scale=scale), draw(rng, rows, n, d)
    cut = rng.randint(1, n - 1)
    for row in range(rows):
        sides = CASES[row % len(CASES)]
        if sides not in ("both", "left alone"):
            logits[row, :cut] = -torch.inf
        if sides not in ("both", "right alone"):
            logits[row, cut:] = -torch.inf
    return (
        state_after(logits[:, :cut], values[:, :cut]),
        state_after(logits[:, cut:], values[:, cut:]),
        state_after(logits, values),
    )


def tied(rng: random.Random, rows: int) -> tuple[State, State, State]:
    """States of two halves whose largest logits are equal."""
    logits, values = draw(rng, rows, 6), draw(rng, rows, 6, 2)
    logits[:, [1, 4]] = 5.0
    return (
        state_after(logits[:, :3], values[:, :3]),
        state_after(logits[:, 3:], values[:, 3:]),
        state_after(logits, values),
    )


def far_below() -> tuple[State, State, State]:
    """Two rows of two keys, one on each side, whose logits differ by 25. The smaller has the value 10¹²."""
    logits = torch.tensor([[0.0, -25.0], [-25.0, 0.0]], dtype=torch.float64)
    values = torch.tensor([[[1.0], [1e12]], [[1e12], [1.0]]], dtype=torch.float64)
    return (
        state_after(logits[:, :1], values[:, :1]),
        state_after(logits[:, 1:], values[:, 1:]),
        state_after(logits, values),
    )


def slips(left: State, right_side: State) -> Slips:
    """The parts of a state that common mistakes give, by the sentence about the mistake."""
    m = torch.maximum(left[0], right_side[0])
    one, two = (torch.exp(side[0] - m).nan_to_num() for side in (left, right_side))

    def added(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
        return (
            first * left[1] + second * right_side[1],
            first[:, None] * left[2] + second[:, None] * right_side[2],
        )

    lower = torch.minimum(left[0], right_side[0])
    sides = (("left", left), ("right", right_side))
    which = "".join(f", or always the {name} one," for name, side in sides if torch.equal(lower, side[0]))
    same = torch.ones_like(one)
    ell, a = added(one, two)
    return {
        "only the keys of the left side count here; the others have weights, too": left,
        "only the keys of the right side count here; the others have weights, too": right_side,
        "a side is added as it is; each has the factor e^(own m − common m), in ℓ and in a": (
            None,
            *added(same, same),
        ),
        "only the right side is rescaled; either side can have the smaller m": (None, *added(same, two)),
        "only the left side is rescaled; either side can have the smaller m": (None, *added(one, same)),
        "one side is lost; its keys have weights, too": (
            None,
            *added((one == 1).double(), (two == 1).double()),
        ),
        "a is divided by ell; it is a plain sum, to be divided only at the end, outside this function": (
            None,
            None,
            a / ell[:, None],
        ),
        f"the smaller m of the two{which} is taken; the common m is the larger": (
            lower,
            None,
            None,
        ),
    }


def judged(answer: Answer, left: State, right_side: State, whole: State, where: str) -> None:
    """Raise NotYet unless the answer merges the two states into `whole`."""
    same_state(answer(left, right_side), whole, where, slips(left, right_side))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's example; random rows that attend to both sides, to one, or to none;
    large logits; small shares; effects.
    """
    logits = torch.tensor([[1.0, 2.0, 8.0, 4.0]], dtype=torch.float64).log()
    values = torch.tensor([[[10.0], [20.0], [30.0], [40.0]]], dtype=torch.float64)
    first, second = state_after(logits[:, :2], values[:, :2]), state_after(logits[:, 2:], values[:, 2:])
    judged(answer, first, second, state_after(logits, values), "for the two halves of the example")
    left, right_side, whole = halves(rng, 1, 6, 3)
    judged(answer, left, right_side, whole, "for one row that attends to both sides")
    judged(answer, right_side, left, whole, "with the two sides exchanged")
    left, right_side, whole = halves(rng, 5, 7, 3)
    for rows, where in (
        ([0, 4], "for two rows that attend to both sides"),
        ([0, 1, 2, 4], "for four rows: one attends to the left side only, and one to the right side only"),
        ([0, 1, 2, 3, 4], "for five rows: two attend to one side only, and one to neither"),
    ):
        first, second, both = ((m[rows], ell[rows], a[rows]) for m, ell, a in (left, right_side, whole))
        judged(answer, first, second, both, where)
    judged(answer, *halves(rng, 4, 6, 4), "for four rows of width 4")
    left, right_side, whole = halves(rng, 2, 6, 2, scale=700.0)
    judged(answer, left, right_side, whole, "with logits in the hundreds")
    for *level, where in (
        (1100.0, 1100.0, "with logits near 1100"),
        (-1100.0, -1100.0, "with logits near −1100"),
        (1100.0, -1100.0, "for two rows whose logits are far apart, near 1100 and near −1100"),
    ):
        shift = torch.tensor(level, dtype=torch.float64)  # of each row's logits
        left, right_side, whole = ((m + shift, ell, a) for m, ell, a in halves(rng, 2, 6, 3))
        judged(answer, left, right_side, whole, where)
    left, right_side, whole = halves(rng, 40, 6, 2, scale=3.0)
    judged(answer, left, right_side, whole, "for rows in which one side has a small share of the weight")
    judged(answer, *tied(rng, 4), "for rows in which both sides have the same m")
    judged(answer, *far_below(), "where the side with the smaller m has the larger values")
    left, right_side, _ = halves(rng, 4, 5, 3)
    leaves_alone(answer, ("left", "right"), left, right_side)
    leaves_alone(answer, ("left", "right"), right_side, left)
    return right("any cut of the keys gives the same softmax")


EXERCISE = Exercise(
    id="merge_states",
    title="Merge two softmax states",
    order=2,
    points=3,
    difficulty=3,
    importance=4,
    minutes=15,
    source="this course; Rabe and Staats 2021",
    hints=(
        (
            "The two sums of the example were measured from different maxima, ln 2 and ln 8. From which"
            " maximum must both be measured before they can be added?"
        ),
        (
            "Each side has its own factor, e^(own m − common m). One of the two factors is 1. Each factor"
            " multiplies the ell and the a of its side."
        ),
        (
            "a is (T, d) and the factor is (T,), so write factor[:, None]. In a row in which both m are −inf"
            " the factor would be nan: use torch.where to put 0 there."
        ),
    ),
    check=check,
    optional=True,
)
