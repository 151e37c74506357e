"""Answer key of two_head_failure.

Head 0 has the query beta·mu_a, so logit a is beta·ε and all others are 0. As beta → ∞ it copies value a where
ε > 0 and shares its weight equally among all other values where ε < 0. With ε ~ N(1, ½): P(ε < 0) = Φ(−1/√½)
= Φ(−√2) = ½·erfc(1) = 0.0786496…. The output is then ½·(mean of the other values + v_b).
"""

from __future__ import annotations

import math
import random

import sympy as sp
from course_exercises.two_head_failure import read_probability
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right

CLOSE = 2e-15  # an exact expression, or a float that is computed from one, to all its digits


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """One number, however it is written."""
    found = read_probability(answer)
    with mp.workdps(30):
        exact = bool(abs(found - mp.erfc(1) / 2) <= CLOSE)
    expect(
        exact,
        f"your probability is {mp.nstr(found, 9)}, which is close but not exact: return the exact expression",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """There is one way to call it."""
    return [()]


def two_head_failure():
    """The reference."""
    return sp.erfc(1) / 2


def from_the_library():
    """The distribution function of N(1, 1/2) at 0."""
    from sympy.stats import Normal, cdf

    return cdf(Normal("epsilon", 1, sp.sqrt(sp.Rational(1, 2))))(0)


def standard_score():
    """Φ(−√2), by its definition."""

    def phi(z):
        return (1 + sp.erf(z / sp.sqrt(2))) / 2

    return phi(-sp.sqrt(2))


def under_an_integral():
    """The upper tail of exp(−t²), not integrated."""
    t = sp.Symbol("t")
    return sp.Integral(sp.exp(-(t**2)), (t, 1, sp.oo)) / sp.sqrt(sp.pi)


def complement_of_success():
    """One minus the probability that the head works."""
    epsilon = sp.Symbol("epsilon", real=True)
    density = sp.exp(-((epsilon - 1) ** 2)) / sp.sqrt(sp.pi)
    return 1 - sp.integrate(density, (epsilon, 0, sp.oo))


def in_decimals():
    """All the digits a float has."""
    return math.erfc(1.0) / 2


def rounded():
    """This is right to three digits. Return the exact expression, for example with erf or erfc."""
    return sp.Float("0.0786")


def success():
    """This is the probability that head 0 works. The exercise asks how often it fails."""
    return (1 + sp.erf(1)) / 2


def variance_one():
    """This is the probability for a variance of 1; the variance of ε is ½."""
    return sp.erfc(1 / sp.sqrt(2)) / 2


def half_as_deviation():
    """This is the probability for a standard deviation of ½; ½ is the variance of ε. (It also comes out if
    the √2 between erf and the normal distribution function is left out.)
    """
    return sp.erfc(sp.sqrt(2)) / 2


def both_tails():
    """This is twice the probability. erfc(1) also counts the draws that are as far from 1 on the other side,
    and a long key a does no harm.
    """
    return sp.erfc(1)


def below_the_mean():
    """½ is the probability that ε is below its mean, 1. Head 0 fails where ε is below 0: a key that is
    shorter than its mean still leads, as long as its logit is positive.
    """
    return sp.Rational(1, 2)


def variance_three_halves():
    """ε has the variance 3/2 here. It should have ½ in all."""
    return sp.erfc(1 / sp.sqrt(3)) / 2


def standard_score_halved():
    """This is the probability of a value more than 1/√2 of a standard deviation below the mean. Head 0 fails
    where ε is below 0, which is 1/√½ = √2 standard deviations below its mean.
    """
    return sp.erfc(sp.Rational(1, 2)) / 2


def density_at_zero():
    """This is the density of ε at 0. The exercise asks for the probability that ε is below 0."""
    return sp.exp(-1) / sp.sqrt(sp.pi)


def never():
    """0 says that head 0 never fails. It does sometimes: ε is normal, so it is below 0 with some
    probability.
    """
    return sp.Integer(0)


def either_head():
    """Head 1 counts as failing as often as head 0. Key b does not vary along its mean, so head 1 always
    copies it.
    """
    return 1 - ((1 + sp.erf(1)) / 2) ** 2


KEY = AnswerKey(
    id="two_head_failure",
    hidden=hidden,
    reference=two_head_failure,
    accepted=(from_the_library, standard_score, under_an_integral, complement_of_success, in_decimals),
    rejected=(
        *(
            rounded,
            success,
            variance_one,
            half_as_deviation,
            both_tails,
            below_the_mean,
            variance_three_halves,
        ),
        *(standard_score_halved, density_at_zero, never, either_head),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    In head 0 the logit of key a is $\beta\varepsilon$ and all others are 0. If $\varepsilon > 0$, key a wins
    as $\beta$ grows. If $\varepsilon < 0$, its weight tends to 0 and the others share the output. So the
    probability is $P(\varepsilon < 0) = \Phi\big(\tfrac{0-1}{\sqrt{1/2}}\big) = \Phi(-\sqrt2) =
    \tfrac12\operatorname{erfc}(1) \approx 0.0786$. The common mistake is to use ½ as the standard deviation.
    It is the variance.
    """,
)
