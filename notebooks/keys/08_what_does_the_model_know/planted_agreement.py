"""Answer key of planted_agreement.

Where the share cannot be computed, follow is 1/k and k a power of two, so k·follow − 1 is exactly zero in any
order of the terms. Elsewhere |follow − 1/k| > 1e-4, so rounding errors are multiplied by 10,000 at most.
"""

from __future__ import annotations

import math
import random

import numpy as np
import sympy as sp
from course_exercises.planted_agreement import agrees, hit_rate, refuses

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Two regions and many, guesses that follow the name and guesses that avoid it,
    agreement of every size.
    """
    for k in (2, 3, 4, 8, 12, 50):
        for _ in range(4):
            agreement = rng.uniform(0.02, 0.98)
            agrees(answer, rng.uniform(1 / k + 0.1, 1.0), agreement, k)
            agrees(answer, rng.uniform(0.0, max(0.0, 1 / k - 0.1 / k - 0.02)), agreement, k)
        agrees(answer, 1.0, rng.choice([0.0, 1.0]), k)
        for gap in (0.005, 0.0003, -0.0002):
            agrees(answer, 1 / k + gap, rng.uniform(0.1, 0.9), k)
        agrees(answer, 0.0, rng.uniform(0.1, 0.9), k)
        agrees(answer, 0.0, 1.0, k)
        agrees(answer, 1.0, 1 / k, k)
        if k > 2:
            agrees(answer, 0.5, rng.uniform(0.1, 0.9), k)
    for k in (2, 4, 8, 16):
        refuses(answer, rng.uniform(0.1, 0.5), 1 / k, k)
        refuses(answer, 1 / k, 1 / k, k)
    steady(answer, 0.4, 0.6, 4)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Following, avoiding, nothing to be told."""
    calls: list[tuple[object, ...]] = [(0.3, 0.25, 4), (0.5, 0.5, 2)]
    for k in (2, 3, 4, 6):
        for follow in (1.0, rng.uniform(0.5, 0.8), 0.05):
            calls.append((hit_rate(follow, rng.uniform(0.1, 0.9), k), follow, k))
    return calls


def planted_agreement(hit, follow, k):
    """The reference."""
    slope = k * follow - 1
    if slope == 0:
        raise ValueError("these guesses say nothing about names")
    return ((k - 1) * hit - (1 - follow)) / slope


def over_chance(hit, follow, k):
    """Both as an excess over 1/k: their ratio is what the name tells."""
    if math.isclose(follow, 1 / k):
        raise ValueError("the guesses do not depend on names")
    told = (hit - 1 / k) / (follow - 1 / k)  # 1 if the name tells everything, 0 if nothing
    return 1 / k + told * (1 - 1 / k)


def between_two_points(hit, follow, k):
    """The hit rate if all agree and if none do; where between them is the measured one?"""
    none, everyone = (1 - follow) / (k - 1), follow
    if none == everyone:
        raise ValueError
    return (hit - none) / (everyone - none)


def with_sympy(hit, follow, k):
    """Solves the equation as it stands."""
    a = sp.Symbol("a")
    found = sp.solve(sp.Eq(follow * a + (1 - follow) * (1 - a) / (k - 1), hit), a)
    if len(found) != 1:
        raise ValueError("no one solution")
    return float(found[0])


def by_least_squares(hit, follow, k):
    """A line through what a = 0 and a = 1 would give."""
    ends = [(1 - follow) / (k - 1), follow]
    if abs(ends[1] - ends[0]) < 1e-12:
        raise ValueError("a line without slope")
    slope, start = np.polyfit([0.0, 1.0], ends, 1)
    return (hit - start) / slope


def the_hit_rate(hit, follow, k):
    """You return the share of right guesses. It equals the agreement only if every guess follows the name."""
    return hit


def the_habit(hit, follow, k):
    """You return how often a guess follows the name.
    This is a habit of the model, not a fact about the people.
    """
    return follow


def a_quotient(hit, follow, k):
    """Your result is hit / follow, as if a guess that does not follow the name were never right."""
    if k * follow == 1:
        raise ValueError
    return hit / follow if follow else 0.0


def any_region(hit, follow, k):
    """You let a guess that does not follow the name be in any of the k regions. The region of the name should
    be excluded, so k − 1 are left.
    """
    slope = follow - (1 - follow) / k
    if k * follow == 1:
        raise ValueError
    return (hit - (1 - follow) / k) / slope


def never_lucky(hit, follow, k):
    """You let every guess that does not follow the name be right with 1/(k − 1). It can be right only if the
    birth does not follow the name either: multiply by 1 − a.
    """
    if k * follow == 1:
        raise ValueError
    return (hit - (1 - follow) / (k - 1)) / follow if follow else 0.0


def no_complaint(hit, follow, k):
    """For follow = 1/k you return a number or nan.
    Raise ValueError, because the guesses cannot tell the share.
    """
    slope = k * follow - 1
    return ((k - 1) * hit - (1 - follow)) / slope if slope else math.nan


def zero_division(hit, follow, k):
    """For follow = 1/k your code divides by zero.
    Raise ValueError, which says that the guesses cannot tell the share.
    """
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


def the_other_way(hit, follow, k):
    """You exchange hit and follow. The first argument is about the region of birth,
    the second about the region of the name.
    """
    if k * follow == 1:
        raise ValueError
    return ((k - 1) * follow - (1 - hit)) / (k * hit - 1) if k * hit != 1 else 0.0


def excess_alone(hit, follow, k):
    """You return the ratio of the two excesses over 1/k.
    It is 0 if names say nothing, but the share is 1/k then. Scale it back.
    """
    if k * follow == 1:
        raise ValueError
    return (hit - 1 / k) / (follow - 1 / k)


def two_regions(hit, follow, k):
    """Your formula is right for two regions only. If the name is not true, a guess that does not follow it
    meets the region of birth in 1 of k − 1 cases, not always.
    """
    if k * follow == 1:
        raise ValueError
    return (hit - (1 - follow)) / (2 * follow - 1)


def upside_down(hit, follow, k):
    """You return the share for which name and birth differ. Return the share for which they agree."""
    if k * follow == 1:
        raise ValueError
    return 1 - ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


def only_followers(hit, follow, k):
    """You raise ValueError if follow is smaller than 1/k. Such guesses avoid the name, and the formula holds
    for them. Only follow = 1/k says nothing.
    """
    if k * follow <= 1:
        raise ValueError("nothing to be told")
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)


KEY = AnswerKey(
    id="planted_agreement",
    hidden=hidden,
    reference=planted_agreement,
    accepted=(over_chance, between_two_points, with_sympy, by_least_squares),
    rejected=(
        *(
            the_hit_rate,
            the_habit,
            a_quotient,
            any_region,
            never_lucky,
            no_complaint,
            zero_division,
            the_other_way,
            excess_alone,
        ),
        *(two_regions, upside_down, only_followers),
    ),
    fingerprint=fingerprint,
    commentary="""
A guess is in the region of birth in two cases. Either it follows the name, and the name is true. Or it does
not follow the name, the name is not true, and the guess meets the right one of the k − 1 other regions. So
hit = follow·a + (1 − follow)(1 − a)/(k − 1), which is linear in a.

For follow = 1/k the coefficient of a is zero, and every a gives the same hit rate. The commonest mistake is
to let a guess that does not follow the name meet any of k regions: the region of the name is excluded.
""",
)
