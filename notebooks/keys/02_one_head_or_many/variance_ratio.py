"""Answer key of variance_ratio."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises.variance_ratio import judge
from torch import Tensor

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def draw(
    rng: random.Random, count: int, dimension: int, dtype: torch.dtype = torch.float64
) -> tuple[Tensor, Tensor, Tensor]:
    """Outputs of one head and of two around means of their own,
    correlated coordinates, about a fifth of the draws failed.
    """
    generator = torch.Generator().manual_seed(rng.getrandbits(60))

    def points(scale: float) -> Tensor:
        mix = torch.randn(dimension, dimension, generator=generator, dtype=torch.float64)
        centre = torch.randn(dimension, generator=generator, dtype=torch.float64)
        return centre + scale * torch.randn(count, dimension, generator=generator, dtype=torch.float64) @ mix

    epsilon = 0.6 + 0.7 * torch.randn(count, generator=generator, dtype=torch.float64)
    epsilon[:3] = torch.tensor([0.5, 1.5, 0.2], dtype=torch.float64)  # some that worked, on both sides of 1
    epsilon[3:5] = torch.tensor([-0.3, -1.2], dtype=torch.float64)
    one, two = points(1.0), points(0.4)
    two[epsilon < 0] += 2.0  # failed draws lie apart
    return one.to(dtype), two.to(dtype), epsilon


def ratio(one: Tensor, two: Tensor, epsilon: Tensor) -> float:
    """The total variance of `one` over that of `two`, both (N, d), over the rows with epsilon > 0."""
    kept = [outputs.to(torch.float64)[epsilon > 0] for outputs in (one, two)]
    first, second = (((c - c.mean(dim=0)) ** 2).sum(dim=1).mean() for c in kept)
    return float(first / second)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Outputs of several sizes, in double and in single precision;
    an epsilon that is exactly 0, or nearly; a ratio of hundreds and one below 1; tiny outputs.
    """
    for count, dimension, dtype in (
        (12, 3, torch.float64),
        (rng.randint(2000, 4000), 5, torch.float64),
        (200, 2, torch.float32),
    ):
        one, two, epsilon = draw(rng, count, dimension, dtype)
        epsilon = epsilon.to(dtype)
        judge(
            answer,
            one,
            two,
            epsilon,
            ratio(one, two, epsilon),
            f"for {count} outputs in {dimension} dimensions{', in float32,' * (dtype is torch.float32)}",
        )
    one, two, epsilon = draw(rng, 30, 4)
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), "for 30 outputs in 4 dimensions")
    epsilon[1] = 0.0
    case = "for 30 outputs in 4 dimensions, with one epsilon that is exactly 0 and so not above 0,"
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), case)
    one, two, epsilon = draw(rng, 60, 9)
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), "for 60 outputs in 9 dimensions")
    epsilon[5:7] = torch.tensor([1e-9, -1e-9], dtype=torch.float64)
    case = "for 60 outputs in 9 dimensions, with an epsilon of 1e-9 and one of −1e-9,"
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), case)
    case = "for 60 outputs in 9 dimensions, two heads varying more than one,"
    judge(answer, two, one, epsilon, ratio(two, one, epsilon), case)
    case = "for 60 tiny outputs in 9 dimensions"
    judge(answer, 1e-5 * one, 1e-5 * two, epsilon, ratio(one, two, epsilon), case)
    one, two, epsilon = draw(rng, 8, 3)
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), "for 8 outputs in 3 dimensions")
    one, two, epsilon = (torch.cat([each, each[:1], each[:1]]) for each in (one, two, epsilon))
    case = "for 10 outputs in 3 dimensions, the last two of them as the first,"
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), case)
    one, two, epsilon = draw(rng, 40, 2)
    judge(answer, one, two, epsilon, ratio(one, two, epsilon), "for 40 outputs in 2 dimensions")
    one = one * math.sqrt(321.4 / ratio(one, two, epsilon))
    judge(answer, one, two, epsilon, 321.4, "for 40 outputs of one head that lie far apart")
    every_time(
        answer, (one, two, epsilon), lambda again: judge(again, one, two, epsilon, 321.4, "for 40 outputs")
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several sizes; some draws with an epsilon of exactly 0."""
    calls = [draw(rng, count, dimension) for count, dimension in ((12, 3), (60, 2), (200, 4))]
    calls[1][2][10:13] = 0.0
    return [*calls]


def variance_ratio(one, two, epsilon):
    """The reference."""
    works = epsilon > 0
    return (one[works].var(dim=0).sum() / two[works].var(dim=0).sum()).item()


def traces(one, two, epsilon):
    """The traces of the covariance matrices, in numpy."""
    chosen = np.flatnonzero(epsilon.numpy() > 0)
    first = np.atleast_2d(np.cov(one.double().numpy()[chosen], rowvar=False))
    second = np.atleast_2d(np.cov(two.double().numpy()[chosen], rowvar=False))
    return float(np.trace(first) / np.trace(second))


def mean_of_squares(one, two, epsilon):
    """E|c|² − |E c|², in double precision."""
    spreads = []
    for outputs in (one, two):
        c = outputs[epsilon > 0].double()
        spreads.append((c * c).sum(dim=1).mean() - (c.mean(dim=0) ** 2).sum())
    return spreads[0] / spreads[1]


def pairs_of_draws(one, two, epsilon):
    """Half the mean squared distance between two draws."""
    works = epsilon > 0
    first, second = one[works].double(), two[works].double()
    return (torch.cdist(first, first) ** 2).mean() / (torch.cdist(second, second) ** 2).mean()


def by_loops(one, two, epsilon):
    """Plain Python."""
    spreads = []
    for outputs in (one.tolist(), two.tolist()):
        rows = [row for row, length in zip(outputs, epsilon.tolist(), strict=True) if length > 0]
        centre = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
        spreads.append(math.fsum((x - m) ** 2 for row in rows for x, m in zip(row, centre, strict=True)))
    return spreads[0] / spreads[1]


def all_draws(one, two, epsilon):
    """The draws in which head 0 failed are kept. Only those with epsilon above 0 count, in both sets."""
    return (one.var(dim=0).sum() / two.var(dim=0).sum()).item()


def only_two_filtered(one, two, epsilon):
    """The failed draws are excluded for two heads only. Both designs are compared on the same draws."""
    return (one.var(dim=0).sum() / two[epsilon > 0].var(dim=0).sum()).item()


def the_failed_ones(one, two, epsilon):
    """The failed draws are kept and the others excluded. It should be the opposite."""
    failed = epsilon < 0
    return (one[failed].var(dim=0).sum() / two[failed].var(dim=0).sum()).item()


def longer_than_the_mean(one, two, epsilon):
    """Only draws with epsilon > 1 are kept. Head 0 works wherever epsilon > 0."""
    kept = epsilon > 1
    return (one[kept].var(dim=0).sum() / two[kept].var(dim=0).sum()).item()


def upside_down(one, two, epsilon):
    """The spread of two heads is divided by that of one. It should be the opposite."""
    works = epsilon > 0
    return (two[works].var(dim=0).sum() / one[works].var(dim=0).sum()).item()


def of_deviations(one, two, epsilon):
    """Standard deviations are compared. The spread is a variance, the square of that."""
    works = epsilon > 0
    return (one[works].var(dim=0).sum() / two[works].var(dim=0).sum()).sqrt().item()


def one_mean_for_all_coordinates(one, two, epsilon):
    """There is one mean for all coordinates together. Each has its own (var needs a dim)."""
    works = epsilon > 0
    return (one[works].var() / two[works].var()).item()


def along_the_rows(one, two, epsilon):
    """The variance goes along each row, over the coordinates of one output, and not down the columns, over
    the draws.
    """
    works = epsilon > 0
    return (one[works].var(dim=1, correction=0).sum() / two[works].var(dim=1, correction=0).sum()).item()


def around_zero(one, two, epsilon):
    """This is the ratio of mean squared lengths. A spread is measured from the mean of the outputs."""
    works = epsilon > 0
    return ((one[works] ** 2).sum() / (two[works] ** 2).sum()).item()


def first_coordinate(one, two, epsilon):
    """Only the first coordinate is used. The variances of all coordinates are added."""
    works = epsilon > 0
    return (one[works, 0].var() / two[works, 0].var()).item()


def mean_of_ratios(one, two, epsilon):
    """A ratio for each coordinate is averaged. The variances are added first, then divided."""
    works = epsilon > 0
    return (one[works].var(dim=0) / two[works].var(dim=0)).mean().item()


def mean_distance(one, two, epsilon):
    """The distances from the mean are averaged. A variance averages their squares."""
    works = epsilon > 0
    first, second = one[works], two[works]
    return (
        (first - first.mean(dim=0)).norm(dim=1).mean() / (second - second.mean(dim=0)).norm(dim=1).mean()
    ).item()


def in_float32(one, two, epsilon):
    """Single precision on the way."""
    first, second = (outputs[epsilon > 0].float().var(dim=0).sum() for outputs in (one, two))
    return (first / second).item()


def zero_counts_as_working(one, two, epsilon):
    """Draws in which epsilon is exactly 0 are kept. There key a has the logit 0 like all others, so head 0
    fails.
    """
    works = epsilon >= 0
    return one[works].var(dim=0).sum() / two[works].var(dim=0).sum()


KEY = AnswerKey(
    id="variance_ratio",
    hidden=hidden,
    reference=variance_ratio,
    accepted=(traces, mean_of_squares, pairs_of_draws, by_loops, in_float32),
    rejected=(
        *(all_draws, only_two_filtered, the_failed_ones, longer_than_the_mean, upside_down, of_deviations),
        zero_counts_as_working,
        *(
            one_mean_for_all_coordinates,
            along_the_rows,
            around_zero,
            first_coordinate,
            mean_of_ratios,
            mean_distance,
        ),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The spread is the mean squared distance from the mean. Written in coordinates, it is the sum of the
    variances of the columns. Both spreads are taken over the same draws, those with $\varepsilon > 0$,
    because we compare the two designs on the draws in which head 0 of the pair does not fail. Whether `var`
    divides by $N$ or by $N-1$ does not matter for the ratio. Common mistakes are `var` without `dim=0`, which
    uses one mean for all coordinates, and a filter for only one of the two sets.
    """,
)
