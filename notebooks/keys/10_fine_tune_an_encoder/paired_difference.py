"""Answer key of paired_difference.

The standard deviation may divide by n or by n − 1. With the counts that are drawn, no mistake agrees with
either of them.
"""

from __future__ import annotations

import math
import random
import statistics

import numpy as np
import torch
from course_exercises.paired_difference import Hits, agrees, drawn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

COUNTS = (
    (30, 0, 7, 3),
    (60, 20, 4, 16),
    (5, 2, 2, 1),
    (850, 15, 3, 4),
    (40, 30, 10, 20),
    (0, 3, 0, 2),
    (0, 1, 1, 0),
    (0, 0, 2, 0),
    (450, 350, 50, 7),
)


def cases(rng: random.Random) -> list[tuple[Hits, Hits]]:
    """Few and many sentences, differences in either direction,
    none, and one classifier that is never alone in being right.
    """
    return [drawn(rng, *counts) for counts in COUNTS]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every case, in either order."""
    for first, second in cases(rng):
        agrees(answer, (first, second))
        agrees(answer, (second, first))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every case."""
    return list(cases(rng))


def paired_difference(first, second):
    """The reference."""
    n = len(first)
    only_first = sum(hit and not other for hit, other in zip(first, second, strict=True))
    only_second = sum(other and not hit for hit, other in zip(first, second, strict=True))
    difference = (only_first - only_second) / n
    # of the differences, which are 1, 0 or -1
    spread = math.sqrt((only_first + only_second) / n - difference**2)
    return difference, spread / math.sqrt(n)


def by_statistics(first, second):
    """Python's own mean and standard deviation, of a list of differences."""
    apart = []
    for i, hit in enumerate(first):
        apart.append(float(hit) - float(second[i]))
    return [statistics.fmean(apart), statistics.stdev(apart) / len(apart) ** 0.5]


def in_numpy(first, second):
    """The mean and the standard error of an array."""
    gaps = np.array(first, dtype=float) - np.array(second, dtype=float)
    return gaps.mean(), gaps.std(ddof=1) / len(gaps) ** 0.5


def in_torch(first, second):
    """In torch, in single precision."""
    gaps = torch.tensor(first).float() - torch.tensor(second).float()
    return gaps.mean(), gaps.std() / math.sqrt(gaps.numel())


def by_covariance(first, second):
    """The variance of a difference: both variances minus twice the covariance."""
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    both = sum(x and y for x, y in zip(first, second, strict=True)) / n
    variance = p * (1 - p) + q * (1 - q) - 2 * (both - p * q)
    return p - q, math.sqrt(max(0.0, variance) / n)


def as_if_independent(first, second):
    """Your standard error is that of two independent samples.
    The sentences are the same, so use the differences.
    """
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt((p * (1 - p) + q * (1 - q)) / n)


def of_one_accuracy(first, second):
    """Your standard error is that of the first accuracy alone;
    it does not depend on the second classifier.
    """
    n = len(first)
    p = sum(first) / n
    return p - sum(second) / n, math.sqrt(p * (1 - p) / n)


def no_root_of_n(first, second):
    """Your error is the standard deviation of the differences.
    Divide it by √n: it is the mean whose error is asked for.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps), statistics.stdev(gaps)


def divided_by_n(first, second):
    """Your error is the standard deviation divided by n; a mean of n values has the error s/√n."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps), statistics.stdev(gaps) / len(gaps)


def variance(first, second):
    """Your error is the variance of the mean; its square root is the standard error."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps), statistics.variance(gaps) / len(gaps)


def second_minus_first(first, second):
    """Your difference has the wrong sign: it is the accuracy of the first minus that of the second."""
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps), statistics.stdev(gaps) / math.sqrt(len(gaps))


def absolute(first, second):
    """You return the size of the difference without its sign.
    A negative difference says that the second is better.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return abs(statistics.fmean(gaps)), statistics.stdev(gaps) / math.sqrt(len(gaps))


def how_many(first, second):
    """Both numbers count sentences; divide them by n, to have a difference of accuracies."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return sum(gaps), statistics.stdev(gaps) * math.sqrt(len(gaps))


def in_percent(first, second):
    """You return percentages; accuracies and their difference are between −1 and 1."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return 100 * statistics.fmean(gaps), 100 * statistics.stdev(gaps) / math.sqrt(len(gaps))


def only_where_they_differ(first, second):
    """The means are over the sentences on which the two differ. The accuracies are over all n sentences."""
    gaps = [a - b for a, b in zip(first, second, strict=True) if a != b]
    return statistics.fmean(gaps), statistics.pstdev(gaps) / math.sqrt(len(gaps))


def without_the_mean(first, second):
    """The mean of the differences is not subtracted before they are squared."""
    n = len(first)
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return sum(gaps) / n, math.sqrt(sum(gap * gap for gap in gaps)) / n


def errors_added(first, second):
    """Your error is the sum of the two standard errors. Errors of paired measurements do not add:
    take the deviation of the differences.
    """
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt(p * (1 - p) / n) + math.sqrt(q * (1 - q) / n)


def half_an_interval(first, second):
    """Your error is 1.96 standard errors: that is half the width of a 95 % interval,
    and the standard error was asked for.
    """
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return statistics.fmean(gaps), 1.96 * statistics.stdev(gaps) / math.sqrt(len(gaps))


KEY = AnswerKey(
    id="paired_difference",
    hidden=hidden,
    reference=paired_difference,
    accepted=(by_statistics, in_numpy, in_torch, by_covariance),
    rejected=(
        *(
            as_if_independent,
            of_one_accuracy,
            no_root_of_n,
            divided_by_n,
            variance,
            second_minus_first,
            absolute,
            how_many,
        ),
        *(in_percent, only_where_they_differ, without_the_mean, errors_added, half_an_interval),
    ),
    fingerprint=fingerprint,
    commentary=(
        "For each sentence the difference of the two hits is 1, 0 or −1. Their mean is the difference of the"
        " accuracies. Their squares are 1 exactly where the classifiers disagree, so two counts give the"
        " standard deviation, and the standard error of a mean is s/√n. Sentences on which both classifiers"
        " are right, or both wrong, contribute a difference of 0, so the error depends on the few sentences"
        " on which they disagree. The most common mistake is √(p(1−p)/n + q(1−q)/n): this is right for two"
        " *different* samples, and too large here, because both classifiers find the same sentences hard."
    ),
)
