"""Exercise paired_difference: the difference of two accuracies on the same sentences,
and its standard error.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number, told

Hits = list[bool]
# alike everywhere, nowhere; no difference of the accuracies; two sentences; many
FURTHER = ((5, 0, 0, 3), (0, 6, 0, 0), (2, 2, 2, 2), (1, 1, 0, 0), (0, 1, 1, 0), (600, 200, 50, 50))
SMALL = (8, 6, 1, 5)  # both right, only the first, only the second, none


def drawn(rng: random.Random, both: int, first: int, second: int, none: int) -> tuple[Hits, Hits]:
    """Two lists of hits with these counts, in random order."""
    pairs = (
        [(True, True)] * both + [(True, False)] * first + [(False, True)] * second + [(False, False)] * none
    )
    rng.shuffle(pairs)
    return [a for a, _ in pairs], [b for _, b in pairs]


def expected(first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float]:
    """The mean of the differences of the hits, and its standard error (standard deviation with n)."""
    n = len(first)
    gaps = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
    mean = sum(gaps) / n
    return mean, math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / n) / math.sqrt(n)


def errors(first: Sequence[bool], second: Sequence[bool], error: float) -> dict[str, float]:
    """Wrong standard errors, by the sentence that names the mistake. `error` is the right one."""
    n, (difference, _) = len(first), expected(first, second)
    p, q = sum(first) / n, sum(second) / n
    apart = sum(a != b for a, b in zip(first, second, strict=True))
    return {
        (
            "it is the standard error of two independent accuracies; these come from the same sentences,"
            " so use the differences"
        ): math.sqrt((p * (1 - p) + q * (1 - q)) / n),
        "it is the standard error of the first accuracy, not of the difference": math.sqrt(p * (1 - p) / n),
        "it is the standard error of the second accuracy, not of the difference": math.sqrt(q * (1 - q) / n),
        (
            "it is the standard error of the share of sentences on which they differ; a difference is 1, 0"
            " or −1"
        ): math.sqrt(apart * (n - apart) / n) / n,
        "it is the standard deviation of the differences, not divided by √n": error * math.sqrt(n),
        "it is the variance of the mean, without the square root": error**2,
        "it is the standard deviation of the differences, divided by n and not by √n": error / math.sqrt(n),
        "it is t, the difference divided by its standard error": difference / error if error else math.nan,
        "it is 1.96 standard errors, half of a 95 % interval": 1.96 * error,
        "the mean of the differences is not subtracted from them": math.sqrt(apart) / n,
    }


def close(found: float, wanted: float) -> bool:
    """Equal up to rounding, in float32 too."""
    return abs(found - wanted) <= 2e-7 * max(1.0, abs(wanted))


def agrees(
    answer: Answer, hits: tuple[Hits, Hits], named: Callable[[Hits, Hits, float], dict[str, float]] = errors
) -> None:
    """Raise NotYet unless difference and standard error are right;
    the deviation may divide by n or by n − 1.
    """
    first, second = hits
    value = answer(list(first), list(second))
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise NotYet(f"return the pair (difference, error); yours is {kind_of(value)}")
    n, (wanted, its_error) = len(first), expected(first, second)
    both = sum(a and b for a, b in zip(first, second, strict=True))
    about = (
        f"the first is right on {sum(first)}, the second on {sum(second)} and both on {both} of {n} sentences"
    )
    difference = number(value[0], f"{about}: the difference")
    error = number(value[1], f"{about}: the standard error")
    expect(
        wanted == 0 or not close(difference, -wanted),
        f"{about}: your difference is {difference:g} and should be {wanted:g}: first minus second, which can"
        " be negative",
    )
    mine, yours = told(wanted, difference)
    cause = f". Possible cause: it is a number of sentences, not divided by {n}"
    cause *= close(difference, wanted * n) and wanted != 0
    expect(
        close(difference, wanted),
        f"{about}: the difference of the accuracies is {mine}; yours is {yours}{cause}",
    )
    allowed = (its_error, its_error * math.sqrt(n / (n - 1)))
    if any(close(error, each) for each in allowed):
        return
    # the right one of which a mistake makes this error, by the mistake
    causes = {
        text: each
        for each in reversed(allowed)
        for text, wrong in named(first, second, each).items()
        if close(error, wrong) and wrong != 0.0
    }
    # so an answer that divides by n − 1 is not told the other one
    nearest = min(allowed, key=lambda each: abs(error - each))
    if any(error == round(nearest, digits) for digits in range(2, 9)):
        causes = {"it is rounded": nearest}
    what = "the standard error of the difference"
    if len(causes) == 1:
        (cause, nearest), *_ = causes.items()
        mine, yours = told(nearest, error)
        raise NotYet(f"{about}: {what} is {mine}; yours is {yours}. Possible cause: {cause}")
    (mine, yours), (other, more) = (told(each, error) for each in allowed)
    also = f" ({other} if that divides by n − 1)" * (its_error != 0.0)
    raise NotYet(
        f"{about}: {what}, the standard deviation of the n differences divided by √n, is {mine}{also};"
        f" yours is {max(yours, more, key=len)}"
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Twenty sentences, the same lists exchanged, and two classifiers that agree almost everywhere,
    or everywhere.
    """
    hits = drawn(rng, *SMALL)
    agrees(answer, hits)
    agrees(answer, (hits[1], hits[0]))
    agrees(answer, drawn(rng, 180, 9, 2, 9))
    for counts in FURTHER:  # a mistake in the formula shows in the cases before
        agrees(answer, drawn(rng, *counts), lambda *_: {})
    leaves_alone(answer, ("first", "second"), *hits)
    return right("sentences on which both agree add nothing to the uncertainty")


EXERCISE = Exercise(
    id="paired_difference",
    title="Compare two classifiers on the same sentences",
    order=19,
    points=3,
    difficulty=3,
    importance=5,
    minutes=20,
    source="McNemar 1947; Dietterich 1998",
    hints=(
        (
            "Make one list out of two: for each sentence the difference of the hits, which is 1, 0 or −1."
            " What is its mean?"
        ),
        (
            "The mean of the n differences is the difference of the accuracies. Its standard error is the"
            " standard deviation of the n differences divided by √n, as in the paired t-test of notebook 05."
        ),
        (
            "With hits (1, 1, 0, 1) and (1, 0, 0, 0) the differences are (0, 1, 0, 1). Their mean is 0.5 and"
            " their standard deviation is 0.5 (with n), so the standard error is 0.5/√4 = 0.25."
        ),
    ),
    check=check,
)
