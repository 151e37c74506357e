"""Answer key of interval95.

Tolerance: an end may be off by 0.5 % of the half-width, so z = 1.96 and z = 1.959964 (0.002 % apart) both
pass; z = 2 does not.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.interval95 import ends, equation

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right


def draw(rng: random.Random) -> list[tuple[int, int]]:
    """Counts of every kind: some, none, all, one of one, some of very many."""
    cases = [(rng.randint(1, total - 1), total) for total in (5, 30, 437, 500, 2000)]
    cases += [(0, 500), (500, 500), (0, 7), (0, 1), (1, 1), (1, 2), (rng.randint(470, 499), 500), (8, 500)]
    return [*cases, *((rng.randint(400, 4_000), total) for total in (40_000, 10**6, 10**6))]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Both ends solve the equation, and lie on their own sides of the share."""
    for correct, total in draw(rng):
        low, high = ends(answer, correct, total)
        share = correct / total
        expect(
            low <= share + 1e-9 and high >= share - 1e-9,
            f"for {correct} of {total} your interval, {low:.4g} to {high:.4g}, does not contain the measured"
            f" {share:.4g}",
        )
        expect(
            high - low > 0.1 / total,
            f"for {correct} of {total} your interval, {low:.4g} to {high:.4g}, has no width",
        )
        equation(correct, total, low, high)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Counts of every kind."""
    return list(draw(rng))


def interval95(correct, total):
    """The reference."""
    z, share = 1.96, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)


def quadratic(correct, total):
    """The formula for quadratics."""
    share, zz = correct / total, 1.96**2 / total
    a, b, c = 1 + zz, -(2 * share + zz), share * share
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return [(-b - root) / (2 * a), (-b + root) / (2 * a)]


def bisection(correct, total):
    """Asks of every p whether it could be the true accuracy, and closes in on where that ends."""
    share = correct / total

    def possible(p):
        return abs(share - p) <= 1.96 * math.sqrt(p * (1 - p) / total) + 1e-15

    def edge(inside, outside):
        if possible(outside):
            return outside
        for _ in range(80):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if possible(middle) else (inside, middle)
        return inside

    start = min(max(share, 1e-6), 1 - 1e-6) if 0 < correct < total else share
    return edge(start, 0.0) if start > 0 else 0.0, edge(start, 1.0) if start < 1 else 1.0


def with_roots(correct, total):
    """The roots of a polynomial, by eigenvalues of its companion matrix, and an exact z."""
    from statistics import NormalDist

    zz = NormalDist().inv_cdf(0.975) ** 2 / total
    share = correct / total
    b, c = -(2 * share + zz) / (1 + zz), share * share / (1 + zz)
    companion = torch.tensor([[0.0, -c], [1.0, -b]], dtype=torch.float64)
    low, high = sorted(torch.linalg.eigvals(companion).real.tolist())
    return min(max(low, 0.0), 1.0), min(high, 1.0)


def pseudo_counts(correct, total):
    """Adds z² imagined questions, half of them right."""
    z = 1.96
    n = total + z * z
    p = (correct + z * z / 2) / n
    half = z / n * math.sqrt(correct * (total - correct) / total + z * z / 4)
    return max(p - half, 0), min(p + half, 1)


def textbook(correct, total):
    """You take the standard error at the measured accuracy. If no answer is right, it is 0, and the interval
    has no width. Take it at p.
    """
    share = correct / total
    half = 1.96 * math.sqrt(share * (1 - share) / total)
    return max(0.0, share - half), min(1.0, share + half)


def textbook_unclipped(correct, total):
    """You take the standard error at the measured accuracy,
    so an end can be below 0 or above 1. Take it at p.
    """
    share = correct / total
    half = 1.96 * math.sqrt(share * (1 - share) / total)
    return share - half, share + half


def one_standard_error(correct, total):
    """Your interval goes one standard error to each side,
    which covers 68 % of the cases. For 95 %, use 1.96.
    """
    z, share = 1.0, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)


def one_sided(correct, total):
    """You use 1.645, which leaves 5 % out on one side. An interval leaves 2.5 % out on each side:
    use 1.96.
    """
    z, share = 1.645, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)


def no_root(correct, total):
    """You forgot the square root. The standard error is the root of the variance."""
    z, share = 1.96, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * (share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)


def in_percent(correct, total):
    """Your ends are in per cent. Return fractions between 0 and 1."""
    z, share = 1.96, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)


def swapped(correct, total):
    """You return the high end first. Return the low end first."""
    z, share = 1.96, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink
    return min(1.0, middle + reach), max(0.0, middle - reach)


def around_the_share(correct, total):
    """Your width is right, but you centre the interval on the measured accuracy.
    Its ends must solve the equation.
    """
    z, share = 1.96, correct / total
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return max(0.0, share - reach), min(1.0, share + reach)


def widest(correct, total):
    """You use the standard error of p = 1/2 for every accuracy. It depends on p."""
    share = correct / total
    half = 1.96 * math.sqrt(0.25 / total)
    return max(0.0, share - half), min(1.0, share + half)


def plus_four(correct, total):
    """You add two right and two wrong answers (Agresti and Coull),
    which is close, but the ends must solve the equation.
    """
    n, share = total + 4, (correct + 2) / (total + 4)
    half = 1.96 * math.sqrt(share * (1 - share) / n)
    return max(0.0, share - half), min(1.0, share + half)


def middle_and_reach(correct, total):
    """You return the centre and the half-width. Return the two ends."""
    z, share = 1.96, correct / total
    shrink = 1 + z**2 / total
    middle = (share + z**2 / (2 * total)) / shrink
    return middle, z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / shrink


KEY = AnswerKey(
    id="interval95",
    hidden=hidden,
    reference=interval95,
    accepted=(quadratic, bisection, with_roots, pseudo_counts),
    rejected=(
        *(
            textbook,
            textbook_unclipped,
            one_standard_error,
            one_sided,
            no_root,
            in_percent,
            swapped,
            around_the_share,
            widest,
        ),
        *(plus_four, middle_and_reach),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    At the two ends, the distance equals 1.96 standard errors: $(\hat p-p)^2=z^2p(1-p)/n$ with $z=1.96$. This
    is a quadratic equation in $p$. Its solutions are
    $\frac{\hat p+z^2/2n\pm z\sqrt{\hat p(1-\hat p)/n+z^2/4n^2}}{1+z^2/n}$. The middle is pulled from $\hat p$
    towards ½, most for small $n$, and the interval never leaves [0, 1] except by rounding. The common mistake
    is the textbook's interval, whose standard error is taken at the measured accuracy: at 0 or 1 it has no
    width.
    """,
)
