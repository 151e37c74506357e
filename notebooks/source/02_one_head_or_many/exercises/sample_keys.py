"""Exercise sample_keys: draw random keys, one of which varies along its mean."""

from __future__ import annotations

import random

import torch
from course_exercises._gaussian_keys import COUNT, draw_means, drawn_anew, judge_keys, read_keys

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A single draw and a single key, for their shapes; then many draws, for means along the axes and for
    others, since some mistakes do not show along the axes. False alarms: below 1e-7, see
    `course_exercises._gaussian_keys`.
    """
    means = torch.eye(4, dtype=torch.float64)
    single = read_keys(answer(means[:3], 0, 0.1, 1), means[:3], 1)
    expect(
        bool(abs(single[0] - means[:3].numpy()).max() > 1e-6),
        "for three keys along the axes, a = 0, sigma2 = 0.1 and count = 1 your keys are the means themselves;"
        " every entry should vary, by about 0.3 or more",
    )
    read_keys(answer(means[:1], 0, 0.1, 3), means[:1], 3)
    case = "for four keys along the axes, a = 0 and sigma2 = 0.2"
    with names_changes(answer, ("means",), means, 0, 0.2, 3):
        judge_keys(answer(means, 0, 0.2, COUNT), means, 0, 0.2, case)
    drawn_anew(answer, means)
    means = draw_means(5, 6, rng)
    case = "for five orthonormal means in six dimensions that are not along the axes, a = 4 and sigma2 = 0.01"
    with names_changes(answer, ("means",), means, 4, 0.01, 3):
        judge_keys(answer(means, 4, 0.01, COUNT), means, 4, 0.01, case)
    leaves_alone(answer, ("means",), means[:4], 2, 0.2, 3)
    return right(f"{COUNT:,} draws have the means, the covariances and the shape they should have")


EXERCISE = Exercise(
    id="sample_keys",
    title="Draw random keys",
    order=3,
    points=1,
    difficulty=2,
    importance=3,
    minutes=12,
    source="CS224n A5 1(c)ii, with the keys really drawn",
    hints=(
        (
            "If two independent random vectors are added, their covariances are added. Which two parts does"
            " key a have?"
        ),
        (
            "σ = √sigma2 times a standard normal vector has covariance σ²I. A standard normal number times a"
            " fixed vector u has covariance uuᵀ. Which u gives ½·mu_a·mu_aᵀ?"
        ),
        (
            "torch.randn(count, n, d) draws the noise of all keys at once. Scale it and add the means. Then"
            " change row a: for each draw, add one random number, times √½, times the whole vector means[a]."
        ),
    ),
    check=check,
)
