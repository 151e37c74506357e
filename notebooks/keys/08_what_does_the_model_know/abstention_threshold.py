"""Answer key of abstention_threshold.

Targets are either met exactly by small fractions (then hits/given and the target are the same float, or a
multiple of 1/8 that both hold exactly) or missed by more than 1e-5.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import torch
from course_exercises._certainty import Level, laid_out, levels
from course_exercises.abstention_threshold import agrees, steps

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

EXACT = [Level(0.75, 1, 1), Level(0.5, 3, 2), Level(0.125, 4, 0)]  # shares 1, 3/4, 3/8
# no share of up to 60 answers comes nearer than 1e-5 to any of them: a test tries all
TARGETS = (0.501, 0.701, 0.851, 0.9511)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Dips, ties, a target that is met just so, one that nothing meets, one that all meet."""
    for _ in range(3):
        agrees(answer, rng, steps(rng), 0.8)
    agrees(answer, rng, EXACT, 0.75)
    agrees(answer, rng, EXACT, 0.375)
    agrees(answer, rng, EXACT, 1.0)
    agrees(answer, rng, [Level(0.75, 5, 0), Level(0.5, 5, 1)], 0.1)  # 1 − 9/10 is rounded to less than 1/10
    for how_many, most in ((3, 1), (6, 3), (12, 5)):
        for target in TARGETS:
            agrees(answer, rng, levels(rng, how_many, most), target)
    agrees(answer, rng, [Level(0.5, 5, 0)], 0.5)
    agrees(answer, rng, [Level(0.5, 5, 5), Level(0.0, 2, 2)], 0.9)
    agrees(answer, rng, [Level(0.75, 3, 3), Level(0.5, 4, 2)], 0.71431)  # 5/7 is 0.00002 less
    agrees(answer, rng, [Level(0.3 + 1e-12, 1, 1), Level(0.3, 2, 0)], 0.8)
    agrees(answer, rng, levels(rng, 3, 2), 0.0)
    every_one_right = [replace(level, right=level.count) for level in levels(rng, 60, 2)]
    agrees(answer, rng, every_one_right, 1.0)
    long = [Level(0.9, 2, 2), *(Level(k / 256, 1, 0) for k in range(100, 160)), Level(0.25, 400, 400)]
    agrees(answer, rng, [*long, Level(0.125, 400, 0)], 0.85)
    steady(answer, *laid_out(rng, EXACT), 0.75)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A dip, ties, exact and impossible targets."""
    cases = [
        (steps(rng), 0.8),
        (EXACT, 0.75),
        ([Level(0.75, 3, 1), Level(0.25, 3, 1)], 0.8),
        (steps(rng), 0.95),
    ]
    cases += [
        (levels(rng, 6, 3), 0.6),
        (levels(rng, 9, 4), 0.45),
        (levels(rng, 5, 1), 0.701),
        ([Level(0.5, 5, 5)], 0.9),
    ]
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
    """Drops the least sure answers, all of one confidence together,
    until those that are left are good enough.
    """
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


def with_numpy_infinity(confidences, right, target):
    """numpy's infinity where there is none."""
    claimed, hit = np.array(confidences), np.array(right)
    good = [c for c in np.unique(claimed) if hit[claimed >= c].mean() >= target]
    return min(good, default=np.float64(np.inf))


def with_a_tensor(confidences, right, target):
    """All thresholds at once."""
    claimed, hit = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    marks = claimed.unique()
    given = (claimed >= marks[:, None]).double()  # (thresholds, N)
    good = marks[(given @ hit) / given.sum(dim=1) >= target]
    return good.min().item() if len(good) else math.inf


def at_the_first_failure(confidences, right, target):
    """You stop at the first threshold that misses the target. The share can rise above the target again
    further down, where more questions are answered.
    """
    best = math.inf
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) < target:
            break
        best = threshold
    return best


def the_highest(confidences, right, target):
    """You return the highest threshold that reaches the target, or the one with the largest share of right
    answers. Take the lowest: it answers more questions.
    """
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def more_than(confidences, right, target):
    """You do not take a threshold whose share is exactly the target, which is enough."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) > target:
            return threshold
    return math.inf


def ties_parted(confidences, right, target):
    """You go answer by answer. At a threshold all answers with this confidence are given,
    right ones and wrong ones.
    """
    best, hits = math.inf, 0
    for i, (c, hit) in enumerate(
        sorted(zip(confidences, right, strict=True), key=lambda a: (-a[0], not a[1])), 1
    ):
        hits += hit
        if hits / i >= target:
            best = c
    return best


def none_at_all(confidences, right, target):
    """If no threshold reaches the target you return None,
    which cannot be compared with a confidence. Return math.inf.
    """
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return None


def one_at_the_most(confidences, right, target):
    """If no threshold reaches the target you return 1,
    which still lets answers with confidence 1 through. Return math.inf.
    """
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return 1.0


def believing(confidences, right, target):
    """You return the target itself, as if every confidence were true. Count how many answers are right."""
    return target


def mean_confidence(confidences, right, target):
    """You average the confidences of the given answers. Count how many of them are right."""
    for threshold in sorted(set(confidences)):
        given = [c for c in confidences if c >= threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def of_all_questions(confidences, right, target):
    """You divide by the number of all questions. The share is among the given answers."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(right) >= target:
            return threshold
    return math.inf


def each_level(confidences, right, target):
    """You look at the answers of one confidence alone.
    At a threshold, all answers with higher confidences are given, too.
    """
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c == threshold]
        if sum(given) / len(given) >= target:
            return threshold
    return math.inf


def as_a_risk(confidences, right, target):
    """You treat the target as the share that may be wrong. It is the share that must be right."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if 1 - sum(given) / len(given) <= target:
            return threshold
    return math.inf


def strictly_surer(confidences, right, target):
    """You leave out the answers whose confidence equals the threshold. They are given: use ≥."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c > threshold]
        if given and sum(given) / len(given) >= target:
            return threshold
    return math.inf


def the_share(confidences, right, target):
    """You return the share of right answers. Return the threshold at which it is reached."""
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        if sum(given) / len(given) >= target:
            return sum(given) / len(given)
    return math.inf


KEY = AnswerKey(
    id="abstention_threshold",
    hidden=hidden,
    reference=abstention_threshold,
    accepted=(from_below, dropping, with_numpy, with_a_tensor, with_numpy_infinity),
    rejected=(
        *(
            at_the_first_failure,
            the_highest,
            more_than,
            ties_parted,
            none_at_all,
            one_at_the_most,
            believing,
            mean_confidence,
        ),
        *(of_all_questions, each_level, as_a_risk, strictly_surer, the_share),
    ),
    fingerprint=fingerprint,
    commentary="""
We try every confidence as a threshold and keep the lowest one that reaches the target, because it leaves the
fewest questions open.

The commonest mistake is to stop at the first threshold that misses the target, coming from the top. The share
of right answers need not fall steadily, so a lower threshold can meet the target once more. If none does,
`math.inf` is a threshold that no confidence reaches.
""",
)
