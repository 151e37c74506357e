"""Exercise merge_states: combine two partial softmaxes."""

from __future__ import annotations

import random

import torch
from course_exercises._kernel_parts import State, same_state, state_after

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import draw

CASES = ("both", "left alone", "right alone", "neither")


def halves(rng: random.Random, rows: int, n: int, d: int, loud: float = 1.0) -> tuple[State, State, State]:
    """States of `rows` rows after the first and after the last keys, and after all. Some rows attend to one side or none."""
    logits, values = draw(rng, rows, n, scale=loud), draw(rng, rows, n, d)
    cut = rng.randint(1, n - 1)
    for row in range(rows):
        reads = CASES[row % len(CASES)]
        if reads not in ("both", "left alone"):
            logits[row, :cut] = -torch.inf
        if reads not in ("both", "right alone"):
            logits[row, cut:] = -torch.inf
    return (
        state_after(logits[:, :cut], values[:, :cut]),
        state_after(logits[:, cut:], values[:, cut:]),
        state_after(logits, values),
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One row that attends to both sides; then rows that attend to one side only, or to none; and large logits."""
    left, right_side, whole = halves(rng, 1, 6, 3)
    same_state(answer(left, right_side), whole, "for one row that reads both sides")
    same_state(answer(right_side, left), whole, "with the two sides exchanged")
    left, right_side, whole = halves(rng, 5, 7, 3)
    same_state(answer(left, right_side), whole, "for five rows, of which some read one side only, and one reads nothing")
    left, right_side, whole = halves(rng, 2, 6, 2, loud=700.0)
    same_state(answer(left, right_side), whole, "with logits in the hundreds")
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
        "Two people have each read a part of the keys. Each measured from their own largest logit. What must "
        "they agree on first?",
        "Each side has a factor of its own, exp(own largest − common largest); one of the two is 1. It "
        "multiplies that side's total "
        "and read.",
        "read is (T, d) and the factor (T,): factor[:, None]. A row that neither side may read has −inf on both, and its factor "
        "would be nan: put 0 there, with torch.where.",
    ),
    check=check,
    optional=True,
)
