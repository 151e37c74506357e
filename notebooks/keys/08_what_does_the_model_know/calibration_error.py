"""Answer key of calibration_error.

Confidences are multiples of 1/4096, and where one is on the edge of a bin, the number of bins is a power of
two. Then confidence · bins is exact in binary, so no right answer can sort it otherwise.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises._certainty import binned
from course_exercises.calibration_error import agrees, spread_over

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

EDGES = (
    [0.25, 0.5, 0.75, 0.0, 0.625, 0.875, 0.125, 0.375],
    [True, False, True, False, True, False, True, False],
    4,
)
# right minus claimed: bin 0: 0.875 in all, bin 1: 0.375, bin 2: −0.125, bin 3: −0.625
EDGES_ERROR = (0.875 + 0.375 + 0.125 + 0.625) / 8
SURE = ([1.0, 1.0, 1.0, 0.875], [True, True, False, True], 8)  # all four in bin 7: claimed 0.96875, true 0.75
SURE_ERROR = 0.21875


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Numbers of bins from 1 up, empty bins, confidences on the edges,
    and answers that the model was certain of.
    """
    agrees(
        answer,
        ([254 / 256, 255 / 256], [False, True], 256),
        (254 + 1) / 256 / 2,
        "of 256 bins, 254/256 (wrong) is in bin 254 and 255/256 (right) in bin 255: the error is {wanted};"
        " yours is {found}",
    )
    for bins in (1, 2, 4, 8, 16, 11, 15, 32, 99, 256):
        for _ in range(3):
            filled = spread_over(rng, bins)
            confidences, hits, wanted = binned(
                rng, bins, filled, rng.choice([1, 3, min(30, 900 // len(filled))])
            )
            agrees(
                answer,
                (confidences, hits, bins),
                wanted,
                f"for {len(hits)} answers in {len(filled)} of {bins} bins the error is {{wanted}};"
                f" yours is {{found}}",
            )
    agrees(
        answer,
        EDGES,
        EDGES_ERROR,
        "a confidence of exactly k/bins belongs to bin k, the upper of the two that meet there: for the"
        " multiples of 0.125 from 0 to 0.875 in 4 bins the error is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        SURE,
        SURE_ERROR,
        "a confidence of exactly 1 belongs to the last bin, with those that are nearly 1: for 1 and 0.875"
        " in 8 bins the error is {wanted}; yours is {found}",
    )
    steady(answer, *EDGES)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Random answers, edges, certainty."""
    calls: list[tuple[object, ...]] = [EDGES, SURE, ([0.0, 0.375, 0.75], [True, False, False], 2)]
    for bins in (1, 4, 8, 10):
        confidences, hits, _ = binned(rng, bins, spread_over(rng, bins))
        calls.append((confidences, hits, bins))
    return calls


def calibration_error(confidences, right, bins):
    """The reference."""
    inside: list[list[float]] = [[] for _ in range(bins)]
    for confidence, hit in zip(confidences, right, strict=True):
        inside[min(int(confidence * bins), bins - 1)].append(hit - confidence)
    return sum(abs(sum(gaps)) for gaps in inside) / len(confidences)


def by_means(confidences, right, bins):
    """By the book: the weighted mean of the distances."""
    error = 0.0
    for k in range(bins):
        last = k == bins - 1
        members = [
            i for i, c in enumerate(confidences) if k / bins <= c < (k + 1) / bins or (last and c >= 1)
        ]
        if members:
            claimed = sum(confidences[i] for i in members) / len(members)
            true = sum(right[i] for i in members) / len(members)
            error += len(members) / len(confidences) * abs(true - claimed)
    return error


def with_bincount(confidences, right, bins):
    """numpy adds up each bin."""
    claimed, true = np.array(confidences), np.array(right, dtype=float)
    number = np.minimum((claimed * bins).astype(int), bins - 1)
    return np.abs(np.bincount(number, weights=true - claimed, minlength=bins)).sum() / len(claimed)


def with_a_tensor(confidences, right, bins):
    """A one-hot matrix of bins times the differences."""
    claimed, true = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    number = (claimed * bins).long().clamp(max=bins - 1)
    member = torch.nn.functional.one_hot(number, bins).double()  # (N, bins)
    return (member.T @ (true - claimed)).abs().sum() / len(claimed)


def sorted_once(confidences, right, bins):
    """One walk over the answers in the order of confidence."""
    error = gap = 0.0
    current = 0
    for confidence, hit in sorted(zip(confidences, right, strict=True)):
        number = min(int(confidence * bins), bins - 1)
        if number != current:
            error, gap, current = error + abs(gap), 0.0, number
        gap += (1.0 if hit else 0.0) - confidence
    return (error + abs(gap)) / len(right)


def signed(confidences, right, bins):
    """The differences of the bins are added with their signs, or all answers are in one bin, so claims that
    are too high cancel claims that are too low. Take the absolute value for each bin.
    """
    return abs(sum(hit - c for c, hit in zip(confidences, right, strict=True))) / len(confidences)


def each_answer(confidences, right, bins):
    """You take the difference answer by answer.
    A single answer is right or wrong, never 80 % right: compare the means of bins.
    """
    return sum(abs(hit - c) for c, hit in zip(confidences, right, strict=True)) / len(confidences)


def unweighted(confidences, right, bins):
    """You average over the bins that are not empty, as if all of them counted the same. Weight each bin by
    its number of answers.
    """
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit - c)
    gaps = [abs(sum(each)) / len(each) for each in inside if each]
    return sum(gaps) / len(gaps)


def over_all_bins(confidences, right, bins):
    """You divide by the number of bins, so empty bins make a model look well calibrated.
    Weight by the number of answers.
    """
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(abs(sum(each)) / len(each) for each in inside if each) / bins


def the_worst(confidences, right, bins):
    """You return the largest difference of a bin (the maximum calibration error).
    The expected error is the weighted mean.
    """
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit - c)
    return max(abs(sum(each)) / len(each) for each in inside if each)


def by_midpoints(confidences, right, bins):
    """You use the middle of a bin as its claim. Use the mean of the confidences in it."""
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit)
    return sum(abs(sum(hits) - len(hits) * (k + 0.5) / bins) for k, hits in enumerate(inside)) / len(
        confidences
    )


def squared(confidences, right, bins):
    """You square the differences. The expected calibration error uses their absolute values."""
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(sum(each) ** 2 / len(each) for each in inside if each) / len(confidences)


def certain_ones_lost(confidences, right, bins):
    """Answers with confidence 1 are in none of your bins. The last bin should include its upper end."""
    error = 0.0
    for k in range(bins):
        each = [hit - c for c, hit in zip(confidences, right, strict=True) if k / bins <= c < (k + 1) / bins]
        error += abs(sum(each))
    return error / len(confidences)


def zeros_lost(confidences, right, bins):
    """Answers with confidence 0 are in none of your bins. Bin 0 should include its lower end."""
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        if c > 0:
            inside[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(abs(sum(each)) for each in inside) / len(confidences)


def ones_apart(confidences, right, bins):
    """A confidence of 1 is not in the last bin, bins − 1, but in a bin of its own, or in bin 0."""
    inside: list[list[float]] = [[] for _ in range(bins + 1)]
    for c, hit in zip(confidences, right, strict=True):
        inside[int(c * bins)].append(hit - c)
    return sum(abs(sum(each)) for each in inside) / len(confidences)


def lower_side(confidences, right, bins):
    """You put a confidence on the edge of two bins into the lower one. Bin k begins with k/bins, so it
    belongs to the upper one.
    """
    error = 0.0
    for k in range(bins):
        each = [
            hit - c
            for c, hit in zip(confidences, right, strict=True)
            if k / bins < c <= (k + 1) / bins or c == k == 0
        ]
        error += abs(sum(each))
    return error / len(confidences)


def equal_numbers(confidences, right, bins):
    """Your bins hold equal numbers of answers. They should have equal widths."""
    order = sorted(range(len(confidences)), key=lambda i: confidences[i])
    error = 0.0
    for k in range(bins):
        part = order[k * len(order) // bins : (k + 1) * len(order) // bins]
        error += abs(sum(right[i] - confidences[i] for i in part))
    return error / len(confidences)


def by_rounding(confidences, right, bins):
    """You round to the nearest bin. Round down, so that bin k goes from k/bins to (k + 1)/bins."""
    inside: dict[int, list[float]] = {}
    for c, hit in zip(confidences, right, strict=True):
        inside.setdefault(round(c * bins), []).append(hit - c)
    return sum(abs(sum(each)) for each in inside.values()) / len(confidences)


def not_divided(confidences, right, bins):
    """You add up without dividing by the number of answers, so the error grows with their number."""
    inside: list[list[float]] = [[] for _ in range(bins)]
    for c, hit in zip(confidences, right, strict=True):
        inside[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(abs(sum(each)) for each in inside)


KEY = AnswerKey(
    id="calibration_error",
    hidden=hidden,
    reference=calibration_error,
    accepted=(by_means, with_bincount, with_a_tensor, sorted_once),
    rejected=(
        *(
            signed,
            each_answer,
            unweighted,
            over_all_bins,
            the_worst,
            by_midpoints,
            squared,
            certain_ones_lost,
            zeros_lost,
            ones_apart,
            lower_side,
        ),
        *(equal_numbers, by_rounding, not_divided),
    ),
    fingerprint=fingerprint,
    commentary="""
In each bin, the sum of `hit − confidence` is the number of answers times (true − claimed). So the absolute
values of these sums, added up and divided by the number of answers, are the weighted mean of the formula.
`min(int(c · bins), bins − 1)` puts a confidence of 1 into the last bin.

The commonest mistakes are the difference taken answer by answer, which is large even for a perfect model, and
a mean over bins without weights.
""",
)
