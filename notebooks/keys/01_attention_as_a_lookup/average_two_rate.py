"""Answer key of average_two_rate."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises.average_two_rate import PARTS, rate_agrees

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict
from kqa_core.check.helpers.repeated import every_time
from kqa_core.check.partial_credit import by_parts
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other numbers of keys: 4, where (n − 2)/4 and 1/2 might be confused, and drawn ones up to 2,000, for
    which an answer may still add up term by term. 4 many times. Another symbol.
    """
    scales = ((0.8, 1.6), (1.8, 2.3), (2.5, 3.3))
    numbers = (4, *(round(10 ** rng.uniform(*exponents)) for exponents in scales))

    def part(name: str) -> None:
        for n in numbers:
            rate_agrees(answer, n, name)
        rate_agrees(Renamed(answer, BETA), rng.randint(5, 9), name)
        every_time(answer, (sp.Integer(4), BETA), lambda again: rate_agrees(again, 4, name))

    return by_parts(PARTS, part)


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several numbers of keys."""
    return [(sp.Integer(n), BETA) for n in (3, 5, 6, 11)]


def average_two_rate(n, beta):
    """The reference."""
    return (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-2 * beta) / 4


def exact_expressions(n, beta):
    """You return the exact distance. Its leading order is simpler: drop the terms of the denominator that are
    small beside exp(beta), so that a constant times an exponential remains.
    """
    alpha = sp.exp(beta) / (2 * sp.exp(beta) + n - 2)
    faster = sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(-beta))
    return sp.Rational(1, 2) - alpha, sp.Rational(1, 2) - faster


def as_fractions(n, beta):
    """The exponential in the denominator."""
    return (n - 2) / (4 * sp.exp(beta)), (n - 2) / (4 * sp.exp(beta) ** 2)


def logarithms(n, beta):
    """As one exponential."""
    slow = sp.exp(sp.log(n - 2) - sp.log(4) - beta)
    return [slow, slow * sp.exp(-beta)]


def hyperbolic(n, beta):
    """cosh − sinh is exp(−x) for all x."""
    return (n - 2) * (sp.cosh(beta) - sp.sinh(beta)) / 4, (n - 2) * (
        sp.cosh(2 * beta) - sp.sinh(2 * beta)
    ) / 4


def other_bases(n, beta):
    """Powers of 1/e, and a constant as a power of 2."""
    return (n - 2) * 2**-2 * (1 / sp.E) ** beta, (n - 2) * 2**-2 * (1 / sp.E**2) ** beta


def a_small_term_left(n, beta):
    """A small term is left in the denominator.
    It does not matter for large beta, so the leading order does not contain it.
    """
    return (n - 2) / (4 * sp.exp(beta) + 1), (n - 2) / (4 * sp.exp(2 * beta))


def two_exponentials(n, beta):
    """You keep a second exponential that shrinks faster than the first:
    the leading order is the first one alone.
    """
    return (n - 2) * (sp.exp(-beta) + sp.exp(-2 * beta)) / 4, (n - 2) * (
        sp.exp(-2 * beta) + sp.exp(-4 * beta)
    ) / 4


def in_decimals(n, beta):
    """Decimal numbers."""
    return 0.25 * float(n - 2) * sp.exp(-beta), 0.25 * float(n - 2) * sp.exp(-2.0 * beta)


def half_instead_of_a_quarter(n, beta):
    """Both rates are too large by a factor of 2: the denominator of α_a is about 2·exp(beta), and the ½ in
    front makes it 4·exp(beta).
    """
    return (n - 2) * sp.exp(-beta) / 2, (n - 2) * sp.exp(-2 * beta) / 2


def all_keys_counted(n, beta):
    """The factor is n, for n other keys. There are n − 2: a and b are not among them."""
    return n * sp.exp(-beta) / 4, n * sp.exp(-2 * beta) / 4


def one_key_counted(n, beta):
    """The factor is n − 1, for n − 1 other keys. There are n − 2: neither a nor b is among them."""
    return (n - 1) * sp.exp(-beta) / 4, (n - 1) * sp.exp(-2 * beta) / 4


def no_keys_counted(n, beta):
    """Your rates do not depend on how many other keys there are. Each of them takes some weight."""
    return sp.exp(-beta) / 4, sp.exp(-2 * beta) / 4


def no_constant(n, beta):
    """The exponentials are right; a leading order has its constant too."""
    return sp.exp(-beta), sp.exp(-2 * beta)


def wrong_order(n, beta):
    """The two rates are exchanged. The first belongs to the query that leaves the other logits at 0."""
    return (n - 2) * sp.exp(-2 * beta) / 4, (n - 2) * sp.exp(-beta) / 4


def same_rate_twice(n, beta):
    """Both queries have the same rate. The second query also lowers the other logits, to -beta: the gap
    between the two groups is 2·beta there.
    """
    return (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-beta) / 4


def gap_squared(n, beta):
    """The exponent is beta squared where exp(beta) times exp(beta) is exp(2·beta)."""
    return (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-(beta**2)) / 4


def wrong_constant_in_the_exact_expression(n, beta):
    """The denominator contains exp(beta) once. It should contain it twice, once for key a and once for
    key b.
    """
    slow = (n - 2) / (2 * (sp.exp(beta) + n - 2))
    return slow, (n - 2) * sp.exp(-beta) / (2 * (sp.exp(beta) + (n - 2) * sp.exp(-beta)))


def the_weight_itself(n, beta):
    """The results are α_a, which tends to ½, and not its distance from ½."""
    return (
        sp.exp(beta) / (2 * sp.exp(beta) + n - 2),
        sp.exp(beta) / (2 * sp.exp(beta) + (n - 2) * sp.exp(-beta)),
    )


def negative(n, beta):
    """The sign is wrong: α_a stays below ½, so ½ − α_a is positive."""
    return -(n - 2) * sp.exp(-beta) / 4, -(n - 2) * sp.exp(-2 * beta) / 4


def only_the_limit(n, beta):
    """The results are the limits. Both differences tend to 0, but the leading order says how fast."""
    return sp.Integer(0), sp.Integer(0)


def only_one_rate(n, beta):
    """You return one expression. Return two, the rate of the first query and the rate of the second."""
    return (n - 2) * sp.exp(-beta) / 4


KEY = AnswerKey(
    id="average_two_rate",
    hidden=hidden,
    reference=average_two_rate,
    accepted=(as_fractions, logarithms, hyperbolic, other_bases, in_decimals),
    rejected=(
        *(
            half_instead_of_a_quarter,
            all_keys_counted,
            one_key_counted,
            no_keys_counted,
            no_constant,
            wrong_order,
        ),
        *(same_rate_twice, gap_squared, wrong_constant_in_the_exact_expression, the_weight_itself, negative),
        *(only_the_limit, only_one_rate, exact_expressions, a_small_term_left, two_exponentials),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    With $m = n - 2$ other keys of logit $x$, $\tfrac12 - \alpha_a = \tfrac12 - \frac{e^\beta}{2 e^\beta + m
    e^x} = \frac{m e^x}{2 (2 e^\beta + m e^x)}$. For large $\beta$ the second term of the denominator is small
    beside the first, so the leading order is $\tfrac{m}{4} e^{x - \beta}$. With $x = 0$ this is
    $\tfrac{m}{4} e^{-\beta}$, and with $x = -\beta$ it is $\tfrac{m}{4} e^{-2\beta}$: the second query
    doubles the gap, so it squares the exponential. The common mistake is the constant: ½ in front and 2 in
    the denominator make ¼. An expression that still has a second term in its denominator is not a leading
    order yet.
    """,
)
