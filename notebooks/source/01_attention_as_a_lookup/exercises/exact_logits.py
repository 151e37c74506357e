"""Exercise exact_logits: a query that reaches prescribed weights exactly."""

from __future__ import annotations

import random

import torch
from course_exercises._concrete_keys import EXACT, K, listed, tensor_like, weights_of
from course_exercises._drawn_keys import another, draw_keys, draw_weights
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes

CASES = (
    (0.4, 0.3, 0.2, 0.1),
    (0.25, 0.25, 0.25, 0.25),
    (0.01, 0.02, 0.07, 0.9),
    (0.000000001, 0.099999999, 0.3, 0.6),
)


def reaches(answer: Answer, keys: Tensor, wanted: Tensor, case: str) -> None:
    """Raise NotYet unless the answer's query has the `wanted` weights to within EXACT."""
    case = f"{case}, the weights"
    query = tensor_like(answer(keys, wanted), (3,), "q", f"{case} {listed(wanted, '.9g')} wanted")
    weights = weights_of(keys, query)
    off = float((weights - wanted).abs().max())
    far = off > 1e-3
    should, yours = (listed(each, ".4g" if far else ".9g") for each in (wanted, weights))
    near = "" if far else f", off by up to {off:.1e}; they should agree to {EXACT:.0e}"
    with names_changes(answer, ("K", "weights"), keys, wanted):
        expect(off <= EXACT, f"{case} {should} were wanted; yours are {yours}{near}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's K and four sets of weights, one of them with a small one;
    then two other K, each with weights of its own.
    """
    for case in CASES:
        reaches(answer, K, torch.tensor(case, dtype=torch.float64), "with the K of this notebook")
    for _ in range(2):
        keys = draw_keys(rng)
        reaches(answer, keys, draw_weights(rng), another(keys))
    leaves_alone(answer, ("K", "weights"), draw_keys(rng), draw_weights(rng))
    return right("your query reaches any positive weights exactly, with this K and with others")


EXERCISE = Exercise(
    id="exact_logits",
    title="Reach given weights exactly",
    order=9,
    points=3,
    difficulty=3,
    importance=4,
    minutes=12,
    source="this course",
    hints=(
        "Which logits have these weights as their softmax? There is more than one set.",
        (
            "The logarithms of the weights do, and so do the logarithms plus any one number. So K @ q + shift"
            " = log(weights) has four unknowns and four equations."
        ),
        (
            "Write it as one system, as in the example: the matrix is K with a column of ones, the unknowns"
            " are q and then the shift. Solve it and drop the shift."
        ),
    ),
    check=check,
)
