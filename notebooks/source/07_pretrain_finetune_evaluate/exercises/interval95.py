"""Exercise interval95: a 95 % confidence interval of an accuracy."""

from __future__ import annotations

import random

import numpy as np
import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number, told

Z = 1.96  # a standard normal variable lies within ±Z with probability 0.95


def ends(answer: Answer, correct: int, total: int) -> tuple[float, float]:
    """The two ends of the answer's interval in [0, 1]. Raises NotYet for anything else."""
    value, given = answer(correct, total), f"for {correct} of {total},"
    if isinstance(value, (torch.Tensor, np.ndarray)) and value.ndim == 1:
        value = value.tolist()
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise NotYet(f"return two numbers, (low, high); yours is {kind_of(value)}")
    low, high = number(value[0], "the low end"), number(value[1], "the high end")
    expect(low <= high, f"{given} the low end comes first; yours are {low:.4g} and {high:.4g}")
    slack = 1e-9  # rounding at the ends 0 and 1
    inside = -slack <= low and high <= 1 + slack
    said = f"{given} an accuracy lies between 0 and 1; your interval runs from {low:.4g} to {high:.4g}"
    expect(inside, said)
    return low, high


def just_allowed(share: float, end: float, total: int) -> bool:
    """Whether a true accuracy of `end` lies as far from the measured `share` as 1.96 of its own
    standard errors, within 0.5 %.
    """
    error: float = (max(end * (1 - end), 0.0) / total) ** 0.5
    return abs(abs(share - end) - Z * error) <= 0.005 * Z * error + 1e-6


def solves(answer: Answer, correct: int, total: int) -> None:
    """Raise NotYet unless both ends of the interval solve the equation, on their own sides of the share."""
    low, high = ends(answer, correct, total)
    share, slack = correct / total, 1e-9
    expect(
        low <= share + slack and high >= share - slack and low < high,
        f"{correct} of {total} is {share:.4g}; your interval, {low:.4g} to {high:.4g}, must contain it, and"
        " have a width",
    )
    equation(correct, total, low, high)


def equation(correct: int, total: int, low: float, high: float) -> None:
    """Raise NotYet unless both ends solve the equation."""
    share = correct / total
    for end in (low, high):
        distance, reach = told(abs(share - end), Z * (max(end * (1 - end), 0.0) / total) ** 0.5)
        expect(
            just_allowed(share, end, total),
            f"for {correct} of {total}: at p = {end:.8g}, an end of your interval, |{share:.6g} − p| is"
            f" {distance} and 1.96·√(p(1 − p)/{total}) is {reach}; they should be equal",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Some intervals, also of few and of very many questions and near accuracies of 0 and 1; then one for an
    accuracy of 0.
    """
    for total in (500, 100, rng.randint(20, 60)):
        solves(answer, rng.randint(total // 10, total // 2), total)
    for correct, total in ((2, 40), (38, 40), (3, 5), (1, 1), (1_203, 40_000), (2_013, 10**6)):
        solves(answer, correct, total)
    low, high = ends(answer, 0, 500)
    expect(
        abs(low) < 1e-9 and high > 1e-6 and just_allowed(0.0, high, 500),
        f"for 0 of 500 the interval goes from 0 to {Z**2 / (500 + Z**2):.4f}; yours from {low:.4g} to"
        f" {high:.4g}",
    )
    return right("both ends are right, even if no answer is right")


EXERCISE = Exercise(
    id="interval95",
    title="A 95 % confidence interval",
    order=9,
    points=2,
    difficulty=3,
    importance=4,
    minutes=15,
    source="E. B. Wilson 1927",
    hints=(
        (
            "The standard error belongs to the *true* accuracy p, which you do not know. The two ends are"
            " where the inequality becomes an equation. How do you get rid of the root?"
        ),
        (
            "Square both sides: (share − p)² = z²·p(1 − p)/n with z = 1.96. This is a quadratic equation in"
            " p: bring it into the form a·p² + b·p + c = 0. Its two solutions are the ends."
        ),
        (
            "Multiplied out: (1 + z²/n)·p² − (2·share + z²/n)·p + share² = 0. Solve it with the formula for"
            " quadratic equations. For share = 0, rounding must not make the lower end negative."
        ),
    ),
    check=check,
)
