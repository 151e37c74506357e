"""Answer key of plain_limit."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import many_tokens, random_tokens, standard_tokens
from course_exercises.plain_limit import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in four, six and nine dimensions; those in four many times."""
    four, six = (random_tokens(dimension, rng) for dimension in (4, 6))
    for tokens in (six, many_tokens(), random_tokens(6, rng)):
        judge(answer, tokens)
    every_time(answer, four, lambda again: judge(again, four))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The standard basis, and directions that point elsewhere."""
    return [tuple(standard_tokens()), tuple(random_tokens(4, rng)), tuple(random_tokens(5, rng))]


def plain_limit(u_a, u_b, u_c, u_d):
    """The reference."""
    return u_a


def the_leader_among_the_logits(u_a, u_b, u_c, u_d):
    """The token whose logit is largest at some beta."""
    xs = [u_d + u_b, u_a, u_c + u_b]
    beta = (u_a + u_b).free_symbols.pop()
    logits = [x.dot(xs[1]).subs(beta, 7) for x in xs]
    return xs[logits.index(max(logits))]


def weights_times_tokens(u_a, u_b, u_c, u_d):
    """The limits of the weights, as a column."""
    return sp.Matrix.hstack(u_d + u_b, u_a, u_c + u_b) * sp.Matrix([0, 1, 0])


def projection_of_the_sum(u_a, u_b, u_c, u_d):
    """The part of the sum of all tokens along u_a."""
    total = u_d + u_a + u_c + 2 * u_b
    return u_a * total.dot(u_a) / u_a.dot(u_a)


def in_decimals(u_a, u_b, u_c, u_d):
    """Decimal numbers."""
    return 1.0 * u_a + 0.0 * u_b


def the_direction_sought(u_a, u_b, u_c, u_d):
    """The limit is u_b here. It is not an average of the three tokens, so no weights give it. The weights
    follow from the logits of x₁: 0, β² and 0.
    """
    return u_b


def the_first_token(u_a, u_b, u_c, u_d):
    """The limit is x₀ here, but the logit x₀·x₁ is 0. The logit of x₁ with itself is β², which grows, so the
    weight moves to x₁.
    """
    return u_d + u_b


def the_third_token(u_a, u_b, u_c, u_d):
    """The limit is x₂ here, but the logit x₂·x₁ is 0. The logit of x₁ with itself is β², which grows, so the
    weight moves to x₁.
    """
    return u_c + u_b


def mean_of_the_tokens(u_a, u_b, u_c, u_d):
    """All tokens have equal weights, which is right only at β = 0. The logit x₁·x₁ = β² grows and the two
    others stay 0, so their weights tend to 0.
    """
    return (u_d + u_a + u_c + 2 * u_b) / 3


def sum_of_the_tokens(u_a, u_b, u_c, u_d):
    """All tokens are added. The weights add up to 1, and in the limit one token has all of it."""
    return u_d + u_a + u_c + 2 * u_b


def mean_of_the_others(u_a, u_b, u_c, u_d):
    """The two other tokens are averaged and x₁ itself is left out. A token also attends to its own key, and
    here that logit is the largest.
    """
    return (u_d + u_c + 2 * u_b) / 2


def half_of_each(u_a, u_b, u_c, u_d):
    """The weight is shared between x₁ and a vector with u_b. The logits of x₀ and x₂ are 0 and the logit of
    x₁ is β², so x₁ gets all of it.
    """
    return (u_a + u_b) / 2


def weights_as_dot_products(u_a, u_b, u_c, u_d):
    """Each token is multiplied by its dot product. The weights are the softmax of the dot products, and they
    add up to 1.
    """
    return u_a * u_a.dot(u_a)


def unit_length(u_a, u_b, u_c, u_d):
    """The direction is right but the length is 1.
    An output is an average of tokens, and the tokens contain vectors of length β.
    """
    return u_a / sp.sqrt(u_a.dot(u_a))


def the_output_itself(u_a, u_b, u_c, u_d):
    """This is c₁ as it is for each β. The exercise asks for the limit: which weight tends to 1?"""
    gain = sp.exp(u_a.dot(u_a))
    return (u_d + u_c + 2 * u_b + gain * u_a) / (gain + 2)


def zero(u_a, u_b, u_c, u_d):
    """The limit is 0 here. Two logits are 0, but a logit of 0 does not mean a weight of 0. The weights add up
    to 1, so the output is not zero.
    """
    return 0 * u_a


def only_the_standard_basis(u_a, u_b, u_c, u_d):
    """The limit is the first unit vector times a length, which is u_a only in the standard basis."""
    return sp.sqrt(u_a.dot(u_a)) * sp.Matrix([1] + [0] * (len(u_a) - 1))


KEY = AnswerKey(
    id="plain_limit",
    hidden=hidden,
    reference=plain_limit,
    accepted=(the_leader_among_the_logits, weights_times_tokens, projection_of_the_sum, in_decimals),
    rejected=(
        *(
            the_direction_sought,
            the_first_token,
            the_third_token,
            mean_of_the_tokens,
            sum_of_the_tokens,
            mean_of_the_others,
        ),
        *(
            half_of_each,
            weights_as_dot_products,
            unit_length,
            the_output_itself,
            zero,
            only_the_standard_basis,
        ),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The logits of $x_1 = u_a$ are $x_0\cdot x_1 = 0$, $x_1\cdot x_1 = \beta^2$ and $x_2\cdot x_1 = 0$, because
    different $u$ are orthogonal. The second logit leads by $\beta^2$, which grows without bound, so the
    weight of $x_1$ tends to 1 and $c_1$ tends to its value, $x_1 = u_a$. A common mistake is to read a logit
    of 0 as a weight of 0: at $\beta = 1$ the two other tokens still have $1/(2+e) = 0.21$ each.
    """,
)
