"""Answer key of best_query."""

from __future__ import annotations

import math
import random

import sympy as sp
from course_exercises.best_query import ROUNDING, R, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import orthonormal_frame, standard_basis


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Both sides of the tie at n = 8, the tie itself and many keys;
    the margin against its closed form; few keys many times;
    fewer keys than entries; another symbol.
    """
    few = standard_basis(4)
    every_time(answer, (few, 0, 2, R), lambda again: judge(again, few, 0, 2))
    frames = [
        standard_basis(7),
        standard_basis(8),
        standard_basis(9),
        orthonormal_frame(5, 6, rng),
        orthonormal_frame(4, 4, rng),
    ]
    frames += [
        standard_basis(rng.randint(17, 40)),
        standard_basis(12),
        standard_basis(16),
        standard_basis(8)[:6],
        standard_basis(10)[:7],
    ]
    for keys in frames:
        a, b = rng.sample(range(len(keys)), 2)
        best = math.sqrt(1 / 2 + 1 / (len(keys) - 2))
        for reached in judge(answer, keys, a, b):
            largest, yours = told(best, reached)
            said = f"for n = {len(keys)} the largest margin of a query of length R is {largest}·R"
            expect(abs(reached - best) <= ROUNDING, f"{said}; that of your q is {yours}·R")
    for _ in range(2):
        judge(answer, orthonormal_frame(5, 6, rng), 0, 3)
    judge(Renamed(answer, R), orthonormal_frame(4, 5, rng), 3, 0)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Few keys, the last win, the tie, and more."""
    skew = orthonormal_frame(5, 6, rng)
    few = [(standard_basis(3), 2, 0, R), (standard_basis(4), 0, 1, R)]
    return [
        *few,
        (standard_basis(7), 0, 3, R),
        (standard_basis(8), 2, 5, R),
        (standard_basis(10), 3, 7, R),
        (standard_basis(40), 3, 7, R),
        (skew, 1, 4, R),
    ]


def best_query(keys, a, b, R):
    """The reference."""
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    margin = R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))
    return n < 8, R * direction / direction.norm(), margin


def project_off_the_mean(keys, a, b, R):
    """Take from k_a + k_b its part along the sum of all keys."""
    n = len(keys)
    mean = sum(keys, sp.zeros(*keys[0].shape)) / n
    direction = keys[a] + keys[b] - 2 * mean
    query = R * direction / sp.sqrt(direction.dot(direction))
    return bool(2 * n < 16), query, query.dot(keys[a] - keys[(set(range(n)) - {a, b}).pop()])


def solve_for_the_logits(keys, a, b, R):
    """x for the two and y for the others, from 2x + (n − 2)y = 0 and the length."""
    m = sp.Integer(len(keys) - 2)
    x = R / sp.sqrt(2 + 4 / m)
    y = -2 * x / m
    query = sp.zeros(*keys[0].shape)
    for i, key in enumerate(keys):
        query += (x if i in (a, b) else y) * key
    return 4 / sp.Integer(len(keys)) > sp.Rational(1, 2), query, x - y


def margin_as_one_root(keys, a, b, R):
    """The margin over one fraction, the comparison by actual margins."""
    n = len(keys)
    logits = sp.ones(n, 1) * sp.Rational(-1, n - 2)
    logits[a] = logits[b] = sp.Rational(1, 2)
    length = sp.sqrt(sp.Rational(n, 2 * (n - 2)))
    first, second = 1 / sp.sqrt(2), 2 / sp.sqrt(n)
    return (
        sp.true if second > first else sp.false,
        sp.Matrix.hstack(*keys) * logits * (R / length),
        R * length,
    )


def with_decimal_logits(keys, a, b, R):
    """Decimal numbers."""
    n = len(keys)
    x = 1 / (2 + 4 / (n - 2)) ** 0.5
    total = sp.zeros(*keys[0].shape)
    for i, key in enumerate(keys):
        total += key * (x if i in (a, b) else -2 * x / (n - 2))
    return n <= 7, R * total, (0.5 + 1 / (n - 2)) ** 0.5 * R


def second_always_wins(keys, a, b, R):
    """second_wins is always True. The second query is faster at equal beta, but it is longer: at equal length
    it loses once n is large.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return True, R * direction / direction.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def second_never_wins(keys, a, b, R):
    """second_wins is always False. For few keys the second query is less than twice as long as the first, and
    at equal beta its margin is twice as large: it wins.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return False, R * direction / direction.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def a_tie_is_no_win(keys, a, b, R):
    """second_wins is True at n = 8. There the two have the same margin, R/√2: a tie is not a win."""
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n <= 8, R * direction / direction.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def six_at_most(keys, a, b, R):
    """second_wins is False at n = 7. There the margin of the second query is still larger: 2/√7 is more than
    1/√2.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n < 7, R * direction / direction.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def lengths_without_roots(keys, a, b, R):
    """second_wins is True for n = 3 only, as if margins were divided by the squared lengths, 2 and n. The
    length is their root.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n < 4, R * direction / direction.norm(), R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def the_first_query(keys, a, b, R):
    """q is the first query: lowering the others a little costs little length and gains margin."""
    return len(keys) < 8, R * (keys[a] + keys[b]) / sp.sqrt(2), R / sp.sqrt(2)


def the_second_query(keys, a, b, R):
    """q is the second query: it lowers each other key exactly as much as it raises a and b. How far is free:
    the best query lowers them more if n = 3 and less if n > 4.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    return n < 8, R * (keys[a] + keys[b] - others) / sp.sqrt(n), 2 * R / sp.sqrt(n)


def better_of_the_two(keys, a, b, R):
    """q is the better of the two given queries. Another one is better, except for n = 4: how far the others
    are lowered is free.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    if n < 8:
        return True, R * (keys[a] + keys[b] - others) / sp.sqrt(n), 2 * R / sp.sqrt(n)
    return False, R * (keys[a] + keys[b]) / sp.sqrt(2), R / sp.sqrt(2)


def not_of_length_r(keys, a, b, R):
    """The direction is right, but the length of q is not R: divide by the length of the direction first."""
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n < 8, R * direction, R * sp.sqrt(sp.Rational(1, 2) + sp.Rational(1, n - 2))


def margin_without_root(keys, a, b, R):
    """q is the best one, but the margin is R·(½ + 1/(n − 2)) without the square root, as that of a direction
    which does not have length 1.
    """
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n < 8, R * direction / direction.norm(), R * (sp.Rational(1, 2) + sp.Rational(1, n - 2))


def only_one_key(keys, a, b, R):
    """q is R times key a: then b is no further ahead than the others, and the margin is 0."""
    return len(keys) < 8, R * keys[a], R


def without_the_margin(keys, a, b, R):
    """You return two things. Return three: whether the second query wins, the best query, and its margin."""
    n = len(keys)
    others = sum((key for i, key in enumerate(keys) if i not in (a, b)), sp.zeros(*keys[0].shape))
    direction = (keys[a] + keys[b]) / 2 - others / (n - 2)
    return n < 8, R * direction / direction.norm()


def only_the_standard_basis(keys, a, b, R):
    """The logits stand in the entries of q: that is right for the standard basis only. In general q is made
    of the keys themselves.
    """
    n = len(keys)
    x = R / sp.sqrt(2 + sp.Rational(4, n - 2))
    y = -2 * x / (n - 2)
    return n < 8, sp.Matrix([x if i in (a, b) else y for i in range(len(keys[0]))]), x - y


KEY = AnswerKey(
    id="best_query",
    hidden=hidden,
    reference=best_query,
    accepted=(project_off_the_mean, solve_for_the_logits, margin_as_one_root, with_decimal_logits),
    rejected=(
        *(second_always_wins, second_never_wins, a_tie_is_no_win, six_at_most, lengths_without_roots),
        *(
            the_first_query,
            the_second_query,
            better_of_the_two,
            not_of_length_r,
            margin_without_root,
            only_one_key,
            without_the_margin,
        ),
        only_the_standard_basis,
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The first query has the margin $R / \sqrt 2$ and the second $2R / \sqrt n$. So the second is better if
    $2 / \sqrt n > 1 / \sqrt 2$, which means $n < 8$. For the best query, $a$ and $b$ share one logit $x$ and
    all others share one logit $y$. The vector $(\sqrt2\, x, -\sqrt{n-2}\, y)$ has the length $R$, and its dot
    product with $(1/\sqrt2, 1/\sqrt{n-2})$ is the margin $x - y$. It is largest if both point in the same
    direction. This gives $2x + (n - 2) y = 0$: the logits add up to 0. So the direction is
    $\tfrac12 (k_a + k_b)$ minus the mean of the other keys, and the margin is
    $R \sqrt{\tfrac12 + \tfrac1{n-2}}$. The common mistake is to compare the two queries at equal $\beta$,
    where the second always looks better because it is longer.
    """,
)
