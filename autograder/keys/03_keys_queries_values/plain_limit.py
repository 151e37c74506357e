"""Answer key of plain_limit."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import random_tokens, standard_tokens
from course_exercises.plain_limit import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in four and in six dimensions."""
    for dimension in (4, 6):
        judge(answer, random_tokens(dimension, rng))
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
    """What the sum of all tokens has along u_a."""
    total = u_d + u_a + u_c + 2 * u_b
    return u_a * total.dot(u_a) / u_a.dot(u_a)


def in_decimals(u_a, u_b, u_c, u_d):
    """Decimal numbers."""
    return 1.0 * u_a + 0.0 * u_b


def the_direction_sought(u_a, u_b, u_c, u_d):
    """u_b is what one might wish for: but no weights on x₁, x₂ and x₃ make it, and x₂ has nothing in common with x₁ or x₃."""
    return u_b


def the_first_token(u_a, u_b, u_c, u_d):
    """This is x₁, but x₁·x₂ = 0: the second query finds nothing of itself in x₁, and all of itself in x₂."""
    return u_d + u_b


def the_third_token(u_a, u_b, u_c, u_d):
    """This is x₃, but x₃·x₂ = 0: the second query finds nothing of itself in x₃, and all of itself in x₂."""
    return u_c + u_b


def mean_of_the_tokens(u_a, u_b, u_c, u_d):
    """Equal weights are those at beta = 0: the logit x₂·x₂ = β² grows and leaves the other two, which stay 0, behind."""
    return (u_d + u_a + u_c + 2 * u_b) / 3


def sum_of_the_tokens(u_a, u_b, u_c, u_d):
    """You add all tokens; the weights add up to 1, and in the end one of them has it all."""
    return u_d + u_a + u_c + 2 * u_b


def mean_of_the_others(u_a, u_b, u_c, u_d):
    """You average the two other tokens; a query also meets its own key, and here that is the only one it matches."""
    return (u_d + u_c + 2 * u_b) / 2


def half_of_each(u_a, u_b, u_c, u_d):
    """You share the weight between x₂ and something with u_b in it; the logits of x₁ and x₃ are 0, that of x₂ is β²."""
    return (u_a + u_b) / 2


def weights_as_dot_products(u_a, u_b, u_c, u_d):
    """You weight each token with its dot product; the softmax makes weights of the dot products that add up to 1."""
    return u_a * u_a.dot(u_a)


def unit_length(u_a, u_b, u_c, u_d):
    """The direction is right, but the length is not 1: an output is an average of the tokens, and their parts have length β."""
    return u_a / sp.sqrt(u_a.dot(u_a))


def the_output_itself(u_a, u_b, u_c, u_d):
    """You return c₂ as it is at each beta; the limit is asked for: which of its weights is left, and how large does it become?"""
    gain = sp.exp(u_a.dot(u_a))
    return (u_d + u_c + 2 * u_b + gain * u_a) / (gain + 2)


def zero(u_a, u_b, u_c, u_d):
    """Two of the logits are 0, but a logit of 0 is no weight of 0, and the weights add up to 1: the output cannot vanish."""
    return 0 * u_a


def only_the_standard_basis(u_a, u_b, u_c, u_d):
    """You return e₁, times a length: that is u_a in the standard basis only; use the vectors you are given."""
    return sp.sqrt(u_a.dot(u_a)) * sp.Matrix([1] + [0] * (len(u_a) - 1))


KEY = AnswerKey(
    id="plain_limit",
    hidden=hidden,
    reference=plain_limit,
    accepted=(the_leader_among_the_logits, weights_times_tokens, projection_of_the_sum, in_decimals),
    rejected=(
        *(the_direction_sought, the_first_token, the_third_token, mean_of_the_tokens, sum_of_the_tokens, mean_of_the_others),
        *(half_of_each, weights_as_dot_products, unit_length, the_output_itself, zero, only_the_standard_basis),
    ),
    fingerprint=fingerprint,
)
