"""Answer key of hull_proof."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import random_tokens, standard_tokens
from course_exercises.hull_proof import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions; s and t of either sign, none small, and a pair so large that no fixed amount is enough."""
    for dimension, sign_s, sign_t, size in ((4, 1, 1, 1), (5, -1, 1, 1), (4, 1, -1, 1), (6, -1, -1, 1), (4, -1, -1, 10**12)):
        s, t = (sp.Rational(sign * size * rng.randint(21, 80), rng.choice((1, 2, 7))) for sign in (sign_s, sign_t))
        judge(answer, random_tokens(dimension, rng), s, t)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Either sign, and nothing added."""
    numbers = [(1, 0), (0, 1), (0, 0), (-3, 2), (sp.Rational(1, 2), -4), (-5, -6)]
    frames = [standard_tokens(), random_tokens(4, rng), random_tokens(5, rng)]
    return [(*frames[i % 3], sp.sympify(s), sp.sympify(t)) for i, (s, t) in enumerate(numbers)]


def hull_proof(u_a, u_b, u_c, u_d, s, t):
    """The reference."""
    weights = (0, 0, 0)
    w = u_b - u_c - u_d - (abs(s) + abs(t)) * u_a
    return weights, w


def at_right_angles_to_all_tokens(u_a, u_b, u_c, u_d, s, t):
    """What a projection on the span of the tokens leaves of u_b: orthogonal to every token, and not to u_b."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a + s * u_d + t * u_c, u_c + u_b)
    return [0, 0, 0], u_b - tokens * (tokens.T * tokens).inv() * tokens.T * u_b


def solved_along_three_directions(u_a, u_b, u_c, u_d, s, t):
    """The weights by solving the three equations; w with the part along u_a that makes w·x₂ vanish."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a + s * u_d + t * u_c, u_c + u_b)
    three = sp.Matrix.hstack(u_a, u_c, u_d).T
    return (three * tokens).LUsolve(sp.zeros(3, 1)), u_b - u_c - u_d + (s + t) * u_a


def lowered_by_half(u_a, u_b, u_c, u_d, s, t):
    """Half of u_c and u_d is enough, and any length of w will do."""
    zero = sp.Integer(0)
    return (zero, zero, zero), sp.exp(u_b.dot(u_b)) * (2 * u_b - u_c - u_d - (s**2 + t**2 + 1) * u_a)


def as_a_table_of_products(u_a, u_b, u_c, u_d, s, t):
    """w by its products with the four directions: below 0 on all tokens."""
    square = u_a.dot(u_a)
    products = sp.Matrix([-abs(s) * 3 - abs(t) * 3 - 1, 1, -2, -2])
    return sp.zeros(3, 1), sp.Matrix.hstack(u_a, u_b, u_c, u_d) * products / square


def in_decimals(u_a, u_b, u_c, u_d, s, t):
    """Decimal numbers."""
    return (0.0, 0.0, 0.0), 1.0 * u_b - 1.5 * u_c - 1.5 * u_d - 2.5 * (abs(s) + abs(t)) * u_a


def w_is_u_b(u_a, u_b, u_c, u_d, s, t):
    """Along w = u_b the tokens x₁ and x₃ are just as far as u_b: w·x₁ = w·u_b. A tie keeps nothing apart."""
    return (0, 0, 0), u_b


def w_lowered_along_c_only(u_a, u_b, u_c, u_d, s, t):
    """w is lowered along u_c, which x₃ holds, but x₁ still ties with u_b."""
    return (0, 0, 0), u_b - u_c - (abs(s) + abs(t)) * u_a


def w_lowered_along_d_only(u_a, u_b, u_c, u_d, s, t):
    """w is lowered along u_d, which x₁ holds, but x₃ still ties with u_b."""
    return (0, 0, 0), u_b - u_d - (abs(s) + abs(t)) * u_a


def w_for_positive_numbers_only(u_a, u_b, u_c, u_d, s, t):
    """Your w does for positive s and t. With a negative one x₂ comes as far along w as you please: it must be held
    back along u_a."""
    return (0, 0, 0), u_b - u_c - u_d


def w_held_back_too_little(u_a, u_b, u_c, u_d, s, t):
    """You lower w along u_a by a fixed amount; a large negative s or t outdoes it, so the amount must depend on them."""
    return (0, 0, 0), u_b - u_c - u_d - u_a


def w_the_other_way(u_a, u_b, u_c, u_d, s, t):
    """Your w points the wrong way: u_b must be further along w than the tokens, not less far."""
    return (0, 0, 0), -u_b + u_c + u_d + (abs(s) + abs(t)) * u_a


def half_of_first_and_third(u_a, u_b, u_c, u_d, s, t):
    """Half of x₁ and half of x₃ bring all of u_b, but half of u_c and half of u_d with it."""
    return (sp.Rational(1, 2), 0, sp.Rational(1, 2)), u_b - u_c - u_d - (abs(s) + abs(t)) * u_a


def all_of_the_first(u_a, u_b, u_c, u_d, s, t):
    """x₁ alone brings u_b, but u_d with it."""
    return (1, 0, 0), u_b - u_c - u_d - (abs(s) + abs(t)) * u_a


def all_of_the_third(u_a, u_b, u_c, u_d, s, t):
    """x₃ alone brings u_b, but u_c with it."""
    return (0, 0, 1), u_b - u_c - u_d - (abs(s) + abs(t)) * u_a


def first_minus_second(u_a, u_b, u_c, u_d, s, t):
    """x₂ could cancel the u_d of x₁, but it brings u_a, which no other token can cancel: its weight must be 0."""
    return (1, -1, 0), u_b - u_c - u_d - (abs(s) + abs(t)) * u_a


def equal_weights(u_a, u_b, u_c, u_d, s, t):
    """Equal weights leave a third of u_a in the sum: only weight 0 on x₂ removes it."""
    third = sp.Rational(1, 3)
    return (third, third, third), u_b - u_c - u_d - (abs(s) + abs(t)) * u_a


def weights_alone(u_a, u_b, u_c, u_d, s, t):
    """Return the weights and w: without w it is not shown that u_b is out of reach, only that it is not met."""
    return (0, 0, 0)


KEY = AnswerKey(
    id="hull_proof",
    hidden=hidden,
    reference=hull_proof,
    accepted=(
        *(at_right_angles_to_all_tokens, solved_along_three_directions, lowered_by_half, as_a_table_of_products, in_decimals),
    ),
    rejected=(
        *(w_is_u_b, w_lowered_along_c_only, w_lowered_along_d_only, w_for_positive_numbers_only, w_held_back_too_little),
        *(w_the_other_way, half_of_first_and_third, all_of_the_first, all_of_the_third, first_minus_second, equal_weights),
        *(weights_alone,),
    ),
    fingerprint=fingerprint,
)
