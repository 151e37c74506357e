"""Answer key of scaling_variance.

One term is x·y with E[x] = 0, E[x²] = 1, E[y] = m, E[y²] = s² + m², so Var(xy) = E[x²]E[y²] − (E[x]E[y])² =
s² + m². The d terms are independent: the variances add up to d·(s² + m²), and its root divides it down to 1.
`test_04_parts.py` measures it.
"""

from __future__ import annotations

import random

import sympy
import sympy as sp
from course_exercises.scaling_variance import NAMES, SYMBOLS, near, pair, value

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import told


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Both expressions at random points: two that agree at six random rationals agree."""
    found = pair(answer(*SYMBOLS))
    wanted = scaling_variance(*SYMBOLS)
    for _ in range(6):
        d = rng.randint(2, 90)
        s, m = (sympy.Rational(rng.randint(101, 3999), 1000) for _ in range(2))
        for name, mine, yours in zip(NAMES, wanted, found, strict=True):
            theirs, right_one = value(yours, name, d, s, m), value(mine, name, d, s, m)
            numbers = told(right_one, theirs)
            expect(
                near(theirs, right_one),
                "for d = {}, s = {} and m = {} {} is {}; yours is {}".format(d, s, m, name, *numbers),
            )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The one call there is."""
    return [SYMBOLS]


def scaling_variance(d, s, m):
    """The reference."""
    variance = d * (s**2 + m**2)
    return variance, sp.sqrt(variance)


def from_moments(d, s, m):
    """E[(q·k)²], term by term: only the squares survive."""
    i = sp.Symbol("i", integer=True)
    second = sp.summation(s**2 + m**2, (i, 1, d))
    return sp.expand(second - 0**2), sp.expand(second) ** sp.Rational(1, 2)


def given_the_key(d, s, m):
    """By the law of total variance: for a fixed key the product has variance |k|², and its mean is 0."""
    length_squared = d * m**2 + d * s**2
    return length_squared + 0, sp.Pow(length_squared, 0.5)


def by_integrals(d, s, m):
    """The moments from the normal density."""
    y = sp.Symbol("y", real=True)
    density = sp.exp(-((y - m) ** 2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi))
    second = sp.simplify(sp.integrate(y**2 * density, (y, -sp.oo, sp.oo)))
    return [d * second, sp.sqrt(d) * sp.sqrt(second)]


def as_a_hypotenuse(d, s, m):
    """s and m as the legs of a triangle."""
    leg = sp.Abs(s + sp.I * m)
    return d * leg**2, leg * d ** sp.Rational(1, 2)


def without_the_mean(d, s, m):
    """Your variance is d·s², without m: you leave out the mean of the key, or subtract its square again.
    E[y²] is s² + m², and (E[x]·E[y])² is 0, because the mean of the query is 0.
    """
    return d * s**2, sp.sqrt(d) * s


def squared_count(d, s, m):
    """Your variance is d² times that of one term, as if there were d equal terms. They are independent, so
    their variances add up to d times the variance of one.
    """
    return d**2 * (s**2 + m**2), d * sp.sqrt(s**2 + m**2)


def divides_by_the_variance(d, s, m):
    """Your divisor is the variance itself. Dividing by a number divides the variance by its square, so the
    divisor is the root.
    """
    return d * (s**2 + m**2), d * (s**2 + m**2)


def divides_by_root_d(d, s, m):
    """Your divisor is √d, which is right for components with mean 0 and variance 1. Here s and m remain, so
    they belong in the divisor too.
    """
    return d * (s**2 + m**2), sp.sqrt(d)


def unit_variance(d, s, m):
    """You take keys with mean 0 and variance 1, which gives d and √d.
    Here they have mean m and standard deviation s.
    """
    return d, sp.sqrt(d)


def deviation_for_variance(d, s, m):
    """You take s for a variance. It is a standard deviation: the variance of a component is s²."""
    return d * (s + m**2), sp.sqrt(d * (s + m**2))


def mean_not_squared(d, s, m):
    """You do not square the mean: E[y²] is s² + m²."""
    return d * (s**2 + m), sp.sqrt(d * (s**2 + m))


def mean_taken_off(d, s, m):
    """You subtract the square of the mean. E[y²] is Var(y) + E[y]², with a plus sign."""
    return d * (s**2 - m**2), sp.sqrt(d * (s**2 - m**2))


def moments_added(d, s, m):
    """You add the variances of the two factors.
    For a product of independent factors, the second moments are multiplied.
    """
    return d * (1 + s**2), sp.sqrt(d * (1 + s**2))


def one_term(d, s, m):
    """You return the variance of one term. The sum has d of them."""
    return s**2 + m**2, sp.sqrt(s**2 + m**2)


def averaged(d, s, m):
    """You divide by d. A dot product is a sum and not a mean."""
    return (s**2 + m**2) / d, sp.sqrt((s**2 + m**2) / d)


def the_other_way_round(d, s, m):
    """You return the divisor first. Return the variance, then the divisor."""
    return sp.sqrt(d * (s**2 + m**2)), d * (s**2 + m**2)


def multiplier(d, s, m):
    """Your second expression is the number to multiply by. Return the number to divide by."""
    return d * (s**2 + m**2), 1 / sp.sqrt(d * (s**2 + m**2))


def the_square_of_the_mean_off(d, s, m):
    """You subtract (d·m)². The mean of q·k is 0,
    because the mean of the query is 0, so there is nothing to subtract.
    """
    return d * s**2 + d * m**2 - (d * m) ** 2, sp.sqrt(d * s**2 + d * m**2)


KEY = AnswerKey(
    id="scaling_variance",
    hidden=hidden,
    reference=scaling_variance,
    accepted=(from_moments, given_the_key, by_integrals, as_a_hypotenuse),
    rejected=(
        *(
            without_the_mean,
            squared_count,
            divides_by_the_variance,
            divides_by_root_d,
            unit_variance,
            deviation_for_variance,
        ),
        *(
            mean_not_squared,
            mean_taken_off,
            moments_added,
            one_term,
            averaged,
            the_other_way_round,
            multiplier,
        ),
        the_square_of_the_mean_off,
    ),
    fingerprint=fingerprint,
    commentary="""
    One term of the sum is $xy$ with $E[x]=0$, $E[x^2]=1$ and $E[y^2]=s^2+m^2$. So its variance is
    $E[x^2]E[y^2]-(E[x]E[y])^2 = s^2+m^2$. The terms are independent, so their variances add up to
    $d(s^2+m^2)$. Dividing by a number divides the variance by its square, hence the root. For $s=1$ and $m=0$
    this is √d.
    """,
)
