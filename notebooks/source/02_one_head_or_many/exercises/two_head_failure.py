"""Exercise two_head_failure: how often the head that should copy value a copies something else.

The visible check takes 100,000 keys that divide the distribution of a into equal parts, gives head 0 a very
large beta, and counts: that is the probability to 1e-5. The hidden check asks for the exact number.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import torch
from course_exercises._gaussian import Values, read_expression
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import number

KEYS = 100_000
SLACK, CLOSE = 0.005, 2 / KEYS  # what is further away is wrong; what is between the two is not exact
SLIPS = {  # what common mistakes give (a test computes them), and how to say so
    "0.02275": (
        "½ is used as the standard deviation of epsilon and not as its variance, or a √2 is left out between"
        " erf and the normal distribution"
    ),
    "0.15866": "1 is used as the variance of epsilon, which is ½",
}
FEW = 13  # digits of a rounded number: one of 14 decimals, and a float has more
LARGE = 1e6  # beta: only keys with |logit a| below about 5 are neither copied nor missed, a share of 1e-6


@functools.cache
def failures() -> float:
    """The share of keys for which head 0 gives value a less than half of the weight:
    four keys along the axes, a = 0.
    """
    quantiles = torch.special.ndtri((torch.arange(KEYS, dtype=torch.float64) + 0.5) / KEYS).numpy()
    keys = np.eye(4)[None].repeat(KEYS, axis=0)  # (KEYS, 4, 4): a row for each key
    keys[:, 0] += np.sqrt(0.5) * quantiles[:, None] * np.eye(4)[0]
    logits = keys @ (LARGE * np.eye(4)[0])  # (KEYS, 4)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return float(np.mean(exponentials[:, 0] / exponentials.sum(axis=1) < 0.5))


def read_probability(answer: Answer) -> Any:
    """The answer's number, as an mpf between 0 and 1; NotYet says what is wrong."""
    result = answer()
    if isinstance(result, (torch.Tensor, np.ndarray, np.generic)):
        result = number(result, "the probability")
    expression = read_expression(answer, result, [], "the probability")
    found = Values(expression).at({})
    expect(
        found is not None,
        "the probability cannot be evaluated as a finite number; write it in a simpler form",
    )
    expect(bool(abs(mp.im(found)) < 1e-12), "the probability must be real; yours is complex")
    found = mp.re(found)
    expect(bool(0 <= found <= 1), f"a probability lies between 0 and 1; yours is {mp.nstr(found, 5)}")
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The answer must be close to the counted share, and not rounded."""
    found = read_probability(answer)
    counted = failures()
    shown = mp.nstr(found, 5)
    said = (
        f"your probability is {shown}; for {KEYS:,} keys that divide the distribution into equal parts,"
        f" head 0 failed in {100 * counted:.1f} %"
    )
    said += f". {POSSIBLE}{SLIPS[shown]}" if shown in SLIPS else ""
    expect(bool(abs(found - counted) <= SLACK), said)
    with mp.workdps(30):
        rounded = bool(abs(found - mp.mpf(mp.nstr(found, FEW))) < mp.mpf(10) ** -17)
    expect(
        not rounded and float(np.float32(float(found))) != found,
        f"your probability is {mp.nstr(found, 9)}, a number of at most {FEW} digits or in float32; the exact"
        " expression is wanted",
    )
    expect(
        bool(abs(found - counted) <= CLOSE),
        f"your probability is {mp.nstr(found, 9)}, which is close but not exact: return the exact expression",
    )
    return right(
        f"it agrees with the share among {KEYS:,} keys; whether it is exact is decided when you submit"
    )


EXERCISE = Exercise(
    id="two_head_failure",
    title="The probability that head 0 fails",
    order=6,
    points=2,
    difficulty=3,
    importance=4,
    minutes=12,
    source="this course, after CS224n A5 1(d)ii",
    hints=(
        "In head 0, logit a is beta times a random number. Which number, and which values can it take?",
        (
            "All other logits of head 0 are 0. It fails where logit a is not larger. This is a question about"
            " one normal variable."
        ),
        (
            "How many standard deviations is 0 below the mean of epsilon? The variance is 1/2. sympy has erf"
            " and erfc, sympy.stats has Normal and cdf."
        ),
    ),
    check=check,
    decided_later="whether your expression is exact",
)
