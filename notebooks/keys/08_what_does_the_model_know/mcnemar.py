"""Answer key of mcnemar.

The expected p-value is counted with whole numbers. Right answers differ from it by
rounding only, far less than the tolerance of 1e-5·p. The cases are chosen such that other tests (one
tail, mid-p, chi-squared) differ from it by more.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import sympy as sp
import torch
from course_exercises.mcnemar import agrees, dealt

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

CASES = (
    (0, 1, 0, 0),
    (0, 0, 0, 3),
    (4, 5, 5, 0),
    (10, 0, 6, 1),
    (2, 3, 11, 40),
    (60, 17, 4, 19),
    (90, 1, 2, 5),
    (0, 25, 40, 0),
    (1, 3, 33, 2),
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Few pairs and many, all on one side, as many on both, none at all."""
    for counts in CASES:
        agrees(answer, rng, counts)
    for most in (3, 12, 60):
        agrees(answer, rng, tuple(rng.randint(0, most) for _ in range(4)))  # type: ignore[arg-type]  # four of them
    # all terms are still ordinary floats
    agrees(answer, rng, (40, rng.randint(500, 530), rng.randint(440, 470), 30))
    agrees(answer, rng, (0, 480, 520, 0))
    steady(answer, *dealt(rng, (9, 5, 3, 4)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds of cases."""
    return [dealt(rng, counts) for counts in (*CASES, (22, 9, 1, 8), (3, 1, 9, 5), (30, 12, 20, 9))]


def mcnemar(first, second):
    """The reference."""
    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    n = only_first + only_second
    tail = sum(math.comb(n, i) for i in range(min(only_first, only_second) + 1)) / 2**n
    return only_first, only_second, min(1.0, 2 * tail)


def with_fractions(first, second):
    """Adds up the probabilities of all results that are at least as far from the
    middle, in exact fractions.
    """
    counts = Counter(zip(first, second, strict=True))
    b, c = counts[True, False], counts[False, True]
    n = b + c
    p = sum(sp.Rational(math.comb(n, i), 2**n) for i in range(n + 1) if abs(2 * i - n) >= abs(b - c))
    return [b, c, float(p)]


def with_numpy(first, second):
    """Counts with numpy; the probabilities by repeated averaging, one coin after another."""
    a, b = np.array(first, dtype=bool), np.array(second, dtype=bool)
    lost, gained = int((a & ~b).sum()), int((~a & b).sum())
    law = np.ones(1)
    for _ in range(lost + gained):
        law = (np.append(law, 0) + np.append(0, law)) / 2
    return lost, gained, min(1.0, 2 * law[: min(lost, gained) + 1].sum())


def with_logarithms(first, second):
    """log-gamma in place of binomial coefficients."""
    difference = torch.tensor(first).int() - torch.tensor(second).int()
    b, c = int((difference == 1).sum()), int((difference == -1).sum())
    n, p = b + c, 0.0
    for i in range(min(b, c) + 1):
        p += 2 * math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2))
    return b, c, min(p, 1.0)


def step_by_step(first, second):
    """Each term of the tail from the one before; the sign of the difference decides the side."""
    b = c = 0
    for hit, other in zip(first, second, strict=True):
        if hit != other:
            b, c = b + bool(hit), c + bool(other)
    n, term, tail = b + c, 0.5 ** (b + c), 0.0
    for i in range(min(b, c) + 1):
        tail += term
        term *= (n - i) / (i + 1)
    return b, c, min(1.0, 2 * tail)


def one_tail(first, second):
    """You return one tail. If the second model had been better by as much,
    you would have noticed that, too, so both tails count.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return b, c, sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c)


def directed(first, second):
    """You always add up the results with few questions that only the second model answers. If that count is
    the larger one, you add up nearly everything. Start from the smaller count.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return b, c, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(c + 1)) / 2 ** (b + c))


def above_one(first, second):
    """Your p is above 1 if the two counts are equal,
    because both tails contain the middle. Return at most 1.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return b, c, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c)


def this_result_alone(first, second):
    """You take the probability of exactly this result.
    Results that are even more lopsided belong to p as well.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return b, c, min(1.0, 2 * math.comb(b + c, b) / 2 ** (b + c))


def more_lopsided(first, second):
    """You add up the results that are more lopsided than yours, without yours.
    A p-value contains the result itself.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return b, c, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c))) / 2 ** (b + c))


def mid_p(first, second):
    """Your p is that of the mid-p version, which counts the result itself by half.
    The exact test counts it in full, and as lopsided a result the other way, too.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    tail = sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) - math.comb(b + c, b) / 2
    return b, c, min(1.0, 2 * tail / 2 ** (b + c))


def chi_squared(first, second):
    """You use the chi-squared approximation. With few discordant questions it is far off;
    add up the binomial probabilities.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    z = abs(b - c) / math.sqrt(b + c) if b + c else 0.0
    return b, c, math.erfc(z / math.sqrt(2))


def with_continuity(first, second):
    """You use the chi-squared approximation with a continuity correction.
    Add up the binomial probabilities; that is exact.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    z = max(0, abs(b - c) - 1) / math.sqrt(b + c) if b + c else 0.0
    return b, c, math.erfc(z / math.sqrt(2))


def not_paired(first, second):
    """You compare the two numbers of right answers as if the models had answered different questions. Both
    answered the same questions, so look at the questions on which they differ.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    n, share = len(first), (sum(first) + sum(second)) / (2 * len(first))
    error = math.sqrt(2 * share * (1 - share) / n)
    return b, c, math.erfc(abs(sum(first) - sum(second)) / n / error / math.sqrt(2)) if error else 1.0


def agreements_too(first, second):
    """You take all questions as coins, also those on which both models agree.
    They say nothing about which model is better.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    n = len(first)
    return b, c, min(1.0, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


def right_answers(first, second):
    """Your two counts are all right answers of each model.
    Count the questions that only one of them answers correctly.
    """
    b, c = sum(first), sum(second)
    return b, c, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c))


def exchanged(first, second):
    """Your counts are exchanged: the first one should be the questions that only the
    first model answers correctly.
    """
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return c, b, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c))


def nothing_for_none(first, second):
    """Without any discordant question you return p = 0. Nothing speaks for a difference then, so p is 1."""
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    if b + c == 0:
        return 0, 0, 0.0
    return b, c, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c))


def p_alone(first, second):
    """You return p alone. Return three numbers: only_first, only_second and p."""
    b = sum(x and not y for x, y in zip(first, second, strict=True))
    c = sum(y and not x for x, y in zip(first, second, strict=True))
    return min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c))


KEY = AnswerKey(
    id="mcnemar",
    hidden=hidden,
    reference=mcnemar,
    accepted=(with_fractions, with_numpy, with_logarithms, step_by_step),
    rejected=(
        *(
            one_tail,
            directed,
            above_one,
            this_result_alone,
            more_lopsided,
            mid_p,
            chi_squared,
            with_continuity,
            not_paired,
        ),
        *(agreements_too, right_answers, exchanged, nothing_for_none, p_alone),
    ),
    fingerprint=fingerprint,
    commentary="""
Questions on which both models agree say nothing about which model is better, so only the discordant ones
enter. If the models are equally good, each of them is a fair coin, and the number of heads follows a binomial
distribution with probability 1/2.

We add up all results at least as lopsided as ours: one tail, doubled by symmetry. If both counts are equal,
the doubled tail contains the middle twice and exceeds 1, so we return 1. Without any discordant question, the
sum is 1 and p is 1.

A common mistake is to compare the two totals as if the models had answered different questions. That throws
the pairing away, and with it most of the power of the test.
""",
)
