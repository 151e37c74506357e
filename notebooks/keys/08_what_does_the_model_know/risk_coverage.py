"""Answer key of risk_coverage."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import numpy as np
import torch
from course_exercises._certainty import Level, laid_out, levels
from course_exercises.risk_coverage import agrees

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Few and many levels, with ties and without, one level alone."""
    for how_many, most in ((1, 1), (1, 9), (2, 3), (5, 1), (12, 6), (40, 4), (150, 2)):
        agrees(answer, rng, levels(rng, how_many, most))
    agrees(answer, rng, [Level(1.0, 4, 1), Level(0.5, 2, 2), Level(0.0, 3, 0)])
    agrees(answer, rng, [Level(0.7 + 1e-13, 2, 1), Level(0.7, 1, 1), Level(0.4, 2, 0)])
    steady(answer, *laid_out(rng, levels(rng, 4, 3)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Cases with ties and without."""
    return [laid_out(rng, levels(rng, how_many, most)) for how_many, most in ((1, 3), (4, 1), (6, 4), (9, 3))]


def risk_coverage(confidences, right):
    """The reference."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for confidence, hit in zip(confidences, right, strict=True) if confidence >= threshold]
        points.append((len(given) / len(right), 1 - sum(given) / len(given)))
    return points


def in_one_walk(confidences, right):
    """Sorts once; a point is made where the confidence changes."""
    points, wrong = [], 0
    answers = sorted(zip(confidences, right, strict=True), key=lambda answer: -answer[0])
    for given, (confidence, hit) in enumerate(answers, 1):
        wrong += not hit
        if given == len(answers) or answers[given][0] != confidence:
            points.append((given / len(answers), wrong / given))
    return points


def with_numpy(confidences, right):
    """Cumulated sums over the distinct confidences."""
    marks, number = np.unique(-np.array(confidences), return_inverse=True)
    given = np.cumsum(np.bincount(number, minlength=len(marks)))
    wrong = np.cumsum(np.bincount(number, weights=1.0 - np.array(right, dtype=float), minlength=len(marks)))
    return np.stack([given / len(right), wrong / given], axis=1)


def with_groups(confidences, right):
    """Groups first, cumulated by itertools."""
    groups = defaultdict(list)
    for confidence, hit in zip(confidences, right, strict=True):
        groups[confidence].append(not hit)
    ordered = [groups[mark] for mark in sorted(groups)[::-1]]
    given = list(itertools.accumulate(map(len, ordered)))
    wrong = list(itertools.accumulate(map(sum, ordered)))
    return [[n / given[-1], bad / n] for n, bad in zip(given, wrong, strict=True)]


def with_a_matrix(confidences, right):
    """Compares every threshold with every answer."""
    claimed, hit = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    given = claimed >= claimed.unique().flip(0)[:, None]  # (thresholds, N)
    number = given.double().sum(dim=1)
    return torch.stack([number / len(hit), (given * (1 - hit)).sum(dim=1) / number], dim=1)


def answer_by_answer(confidences, right):
    """You make a point for each answer. A threshold cannot separate answers with equal confidences, so they
    make one point together.
    """
    points, wrong = [], 0
    for i, (_, hit) in enumerate(sorted(zip(confidences, right, strict=True), key=lambda a: -a[0]), 1):
        wrong += not hit
        points.append((i / len(right), wrong / i))
    return points


def least_sure_first(confidences, right):
    """You give the answers with the lowest confidences first.
    A model that abstains keeps the highest ones.
    """
    points = []
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c <= threshold]
        points.append((len(given) / len(right), 1 - sum(given) / len(given)))
    return points


def from_the_end(confidences, right):
    """Your points begin with the lowest threshold. Begin with the highest confidence."""
    points = []
    for threshold in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((len(given) / len(right), 1 - sum(given) / len(given)))
    return points


def accuracy(confidences, right):
    """Your second number is the share of right answers. The risk is the share of wrong ones."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((len(given) / len(right), sum(given) / len(given)))
    return points


def wrong_of_all(confidences, right):
    """You divide the wrong answers by all questions. The risk is their share among the given answers."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((len(given) / len(right), (len(given) - sum(given)) / len(right)))
    return points


def counts(confidences, right):
    """Your coverage is a number of answers. Divide it by the number of questions."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((len(given), 1 - sum(given) / len(given)))
    return points


def strictly_above(confidences, right):
    """You leave out the answers whose confidence equals the threshold. They are given: use ≥."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c > threshold]
        points.append((len(given) / len(right), 1 - sum(given) / len(given) if given else 0.0))
    return points


def level_by_level(confidences, right):
    """You look at each confidence alone. At a threshold,
    all answers with higher confidences are given, too.
    """
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c == threshold]
        points.append((len(given) / len(right), 1 - sum(given) / len(given)))
    return points


def thresholds(confidences, right):
    """Your first number is the threshold. It should be the coverage,
    the share of questions that get an answer.
    """
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((threshold, 1 - sum(given) / len(given)))
    return points


def risk_first(confidences, right):
    """Your pairs are (risk, coverage). They should be (coverage, risk)."""
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= threshold]
        points.append((1 - sum(given) / len(given), len(given) / len(right)))
    return points


def not_sorted(confidences, right):
    """You take the answers in the given order. Sort them by confidence first."""
    points, wrong = [], 0
    for i, hit in enumerate(right, 1):
        wrong += not hit
        points.append((i / len(right), wrong / i))
    return points


def expected_risk(confidences, right):
    """You compute the risk that the model expects from its confidences.
    The risk is the share of answers that are really wrong.
    """
    points = []
    for threshold in sorted(set(confidences), reverse=True):
        given = [c for c in confidences if c >= threshold]
        points.append((len(given) / len(confidences), 1 - sum(given) / len(given)))
    return points


KEY = AnswerKey(
    id="risk_coverage",
    hidden=hidden,
    reference=risk_coverage,
    accepted=(in_one_walk, with_numpy, with_groups, with_a_matrix),
    rejected=(
        *(
            answer_by_answer,
            least_sure_first,
            from_the_end,
            accuracy,
            wrong_of_all,
            counts,
            strictly_above,
            level_by_level,
        ),
        *(thresholds, risk_first, not_sorted, expected_risk),
    ),
    fingerprint=fingerprint,
    commentary="""
Each different confidence is one threshold. The answers with at least this confidence are given: their share
of all answers is the coverage, and the share of wrong ones among them is the risk.

The commonest mistake is one point for each answer. Answers with equal confidences cannot be separated by a
threshold, so their order in the list must not matter.
""",
)
