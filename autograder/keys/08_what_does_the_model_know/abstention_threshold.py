"""Answer key of abstention_threshold.

Targets are either met exactly by small fractions (then hits/given and the target are the same float, or a multiple of 1/8 that
both hold exactly) or missed by more than 1e-3.
"""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises._certainty import Level, laid_out, levels
from course_exercises.abstention_threshold import agrees, steps

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

EXACT = [Level(0.75, 1, 1), Level(0.5, 3, 2), Level(0.125, 4, 0)]  # shares 1, 3/4, 3/8
TARGETS = (0.501, 0.701, 0.851, 0.9511)  # no share of up to 60 answers comes nearer than 1e-5 to any of them: a test tries all


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Dips, ties, a target that is met just so, one that nothing meets, one that all meet."""
    for _ in range(3):
        agrees(answer, rng, steps(rng), 0.8)
    agrees(answer, rng, EXACT, 0.75)
    agrees(answer, rng, EXACT, 0.375)
    agrees(answer, rng, EXACT, 1.0)
    for how_many, most in ((3, 1), (6, 3), (12, 5)):
        for target in TARGETS:
            agrees(answer, rng, levels(rng, how_many, most), target)
    agrees(answer, rng, [Level(0.5, 5, 0)], 0.5)
    agrees(answer, rng, [Level(0.5, 5, 5), Level(0.0, 2, 2)], 0.9)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A dip, ties, exact and impossible targets."""
    cases = [(steps(rng), 0.8), (EXACT, 0.75), ([Level(0.75, 3, 1), Level(0.25, 3, 1)], 0.8), (steps(rng), 0.95)]
    cases += [(levels(rng, 6, 3), 0.6), (levels(rng, 9, 4), 0.45), (levels(rng, 5, 1), 0.701), ([Level(0.5, 5, 5)], 0.9)]
    return [(*laid_out(rng, what), target) for what, target in cases]


def abstention_threshold(confidences, right, target):
    """The reference."""
    lowest = math.inf
    for threshold in set(confidences):
        given = [hit for confidence, hit in zip(confidences, right, strict=True) if confidence >= threshold]
        if sum(given) / len(given) >= target:
            lowest = min(lowest, threshold)
    return lowest


def from_below(confidences, right, target):
    """Raises the threshold until the target is met."""
    for threshold in sorted(set(confidences)):
        given = [hit for confidence, hit in zip(confidences, right, strict=True) if confidence >= threshold]
        if sum(given) >= target * len(given):
            return threshold
    return math.inf


def dropping(confidences, right, target):
    """Drops the least sure answers, all of one confidence together, until those that are left are good enough."""
    left = sorted(zip(confidences, right, strict=True))
    while left:
        if sum(hit for _, hit in left) / len(left) >= target:
            return left[0][0]
        left = [pair for pair in left if pair[0] > left[0][0]]
    return float("inf")


def with_numpy(confidences, right, target):
    """Cumulated from the top; only the last answer of each confidence may be a threshold."""
    order = np.argsort(-np.array(confidences), kind="stable")
    marks, hits = np.array(confidences)[order], np.array(right)[order]
    share = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    last = np.append(marks[1:] != marks[:-1], True)
    good = marks[last & (share >= target)]
    return float(good[-1]) if len(good) else math.inf


def with_a_tensor(confidences, right, target):
    """All thresholds at once."""
    claimed, hit = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    marks = claimed.unique()
    given = (claimed >= marks[:, None]).double()  # (thresholds, N)
    good = marks[(given @ hit) / given.sum(dim=1) >= target]
    return good.min().item() if len(good) else math.inf


def at_the_first_failure(confidences, right, target):
    """You stop at the first threshold that misses the target; the share can come back above it further down, and there more
    is answered.
    """
    best = math.inf
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) < target:
            break
        best = threshold
    return best


def the_highest(confidences, right, target):
    """You return the highest threshold that keeps to the target, which answers least; take the lowest."""
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def more_than(confidences, right, target):
    """You want more than the target; just as much keeps to it."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) > target:
            return threshold
    return math.inf


def ties_parted(confidences, right, target):
    """You walk answer by answer; at a threshold all answers of that confidence are given, right and wrong."""
    best, hits = math.inf, 0
    for i, (c, hit) in enumerate(sorted(zip(confidences, right, strict=True), key=lambda a: (-a[0], not a[1])), 1):
        hits += hit
        if hits / i >= target:
            best = c
    return best


def none_at_all(confidences, right, target):
    """Where nothing keeps to the target you return None; nobody can compare a confidence with that: return math.inf."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return None


def one_at_the_most(confidences, right, target):
    """Where nothing keeps to the target you return 1, and a model that is certain would still be let through: return
    math.inf.
    """
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return 1.0


def believing(confidences, right, target):
    """You take the model at its word and return the target itself: whether a confidence of 0.9 is right in 9 of 10 cases is
    what was to be found out.
    """
    return target


def mean_confidence(confidences, right, target):
    """You average the confidences of the given answers; what counts is how many of them are right."""
    for threshold in sorted(set(confidences)):
        given = [c for c in confidences if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def of_all_questions(confidences, right, target):
    """You divide by all questions; the share is among the answers that are given."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(right) >= target:
            return threshold
    return math.inf


def each_level(confidences, right, target):
    """You look at the answers of one confidence by themselves; at a threshold the surer ones are given, too."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c == threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def as_a_risk(confidences, right, target):
    """You read the target as the share that may be wrong; it is the share that must be right."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if 1 - sum(given) / len(given) <= target:
            return threshold
    return math.inf


def strictly_surer(confidences, right, target):
    """You leave out the answers that are just as sure as the threshold; an answer is given where its confidence is at least
    the threshold.
    """
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c > threshold]
        if given and sum(given) / len(given) >= target:
            return threshold
    return math.inf


def the_share(confidences, right, target):
    """You return the share of right answers that is reached; return the threshold at which it is."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return sum(given) / len(given)
    return math.inf


KEY = AnswerKey(
    id="abstention_threshold",
    hidden=hidden,
    reference=abstention_threshold,
    accepted=(from_below, dropping, with_numpy, with_a_tensor),
    rejected=(
        *(at_the_first_failure, the_highest, more_than, ties_parted, none_at_all, one_at_the_most, believing, mean_confidence),
        *(of_all_questions, each_level, as_a_risk, strictly_surer, the_share),
    ),
    fingerprint=fingerprint,
)
