"""Answer key of add_and_see."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import random_tokens, standard_tokens
from course_exercises.add_and_see import judge

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


def add_and_see(u_a, u_b, u_c, u_d):
    """The reference."""
    return u_a + u_d, u_a + u_c


def the_leader_among_the_logits(u_a, u_b, u_c, u_d):
    """The token whose logit is largest at some beta, twice."""
    found = []
    for added in (u_d, u_c):
        xs = [u_d + u_b, u_a + added, u_c + u_b]
        logits = [x.dot(xs[1]).subs(dict.fromkeys(xs[1].free_symbols, 9)) for x in xs]
        found.append(xs[logits.index(max(logits))])
    return found


def weights_times_tokens(u_a, u_b, u_c, u_d):
    """The limits of the weights, as a column."""
    last = sp.Matrix([0, 1, 0])
    return tuple(sp.Matrix.hstack(u_d + u_b, u_a + u, u_c + u_b) * last for u in (u_d, u_c))


def all_four_less_two(u_a, u_b, u_c, u_d):
    """What is left of the sum of all four."""
    total = u_a + u_b + u_c + u_d
    return total - u_b - u_c, total - (u_b + u_d)


def in_decimals(u_a, u_b, u_c, u_d):
    """Decimal numbers."""
    return 1.0 * u_a + 1.0 * u_d, 0.5 * (2.0 * u_a + 2 * u_c)


def the_first_and_third_token(u_a, u_b, u_c, u_d):
    """These are x₁ and x₃, as is often claimed. But the new x₂ meets itself, too: x₂·x₂ = 2β² outgrows x₁·x₂ = β²."""
    return u_d + u_b, u_c + u_b


def the_direction_sought(u_a, u_b, u_c, u_d):
    """u_b alone is no average of the three tokens: wherever x₁ or x₃ comes in, u_d or u_c comes with it."""
    return u_b, u_b


def what_was_added(u_a, u_b, u_c, u_d):
    """You return what was added; the second value is all of the new x₂, with u_a still in it."""
    return u_d, u_c


def as_before(u_a, u_b, u_c, u_d):
    """This is the limit before anything was added. What is added to x₂ is added to its value too, as value, key and
    query are one."""
    return u_a, u_a


def half_and_half(u_a, u_b, u_c, u_d):
    """You share the weight between x₂ and the token it now overlaps with. The logits are 2β² and β²: both grow, and
    so does the gap."""
    return (u_a + 2 * u_d + u_b) / 2, (u_a + 2 * u_c + u_b) / 2


def weights_two_to_one(u_a, u_b, u_c, u_d):
    """You share the weight as the logits 2β² and β² stand, 2 to 1. The softmax takes exponentials: their ratio is exp(β²)."""
    return (2 * (u_a + u_d) + u_d + u_b) / 3, (2 * (u_a + u_c) + u_c + u_b) / 3


def exchanged(u_a, u_b, u_c, u_d):
    """You have the two the wrong way round: the first is with u_d added, the second with u_c."""
    return u_a + u_c, u_a + u_d


def both_added(u_a, u_b, u_c, u_d):
    """You add u_c and u_d at once; they are two changes, each made to the x₂ of the beginning."""
    return u_a + u_c + u_d, u_a + u_c + u_d


def with_u_b_as_well(u_a, u_b, u_c, u_d):
    """The new x₂ shares u_d or u_c with another token, but an output adds no parts of its own: the weight on x₁ and
    x₃ tends to 0."""
    return u_a + u_b + u_d, u_a + u_b + u_c


def only_one(u_a, u_b, u_c, u_d):
    """Return two vectors, the limit with u_d added and the limit with u_c added."""
    return u_a + u_d


def the_outputs_themselves(u_a, u_b, u_c, u_d):
    """You return c₂ as it is at each beta; the limits are asked for: which of the weights is left?"""
    square = u_a.dot(u_a)
    total = sp.exp(square) + sp.exp(2 * square) + 1
    first = sp.exp(square) * (u_d + u_b) + sp.exp(2 * square) * (u_a + u_d) + u_c + u_b
    second = u_d + u_b + sp.exp(2 * square) * (u_a + u_c) + sp.exp(square) * (u_c + u_b)
    return first / total, second / total


KEY = AnswerKey(
    id="add_and_see",
    hidden=hidden,
    reference=add_and_see,
    accepted=(the_leader_among_the_logits, weights_times_tokens, all_four_less_two, in_decimals),
    rejected=(
        *(the_first_and_third_token, the_direction_sought, what_was_added, as_before, half_and_half, weights_two_to_one),
        *(exchanged, both_added, with_u_b_as_well, only_one, the_outputs_themselves),
    ),
    fingerprint=fingerprint,
)
