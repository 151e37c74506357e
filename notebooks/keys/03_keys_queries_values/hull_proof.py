"""Answer key of hull_proof."""

from __future__ import annotations

import random

import sympy as sp
import torch
from course_exercises._tokens import random_tokens, standard_tokens
from course_exercises.hull_proof import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions; p and r of either sign, none small,
    and a pair so large that no fixed amount is enough.

    Then one of them, or both, are 0, and they are equal, opposite or small. Last, one call many times.
    """
    for dimension, sign_p, sign_r, size in (
        (4, 1, 1, 1),
        (5, -1, 1, 1),
        (4, 1, -1, 1),
        (6, -1, -1, 1),
        (4, -1, -1, 10**12),
    ):
        p, r = (
            sp.Rational(sign * size * rng.randint(21, 80), rng.choice((1, 2, 7))) for sign in (sign_p, sign_r)
        )
        judge(answer, random_tokens(dimension, rng), p, r)
    equal, small = rng.randint(2, 9), sp.Rational(1, rng.randint(10**3, 10**9))
    more = ((equal, equal), (-equal, equal), (equal, -equal), (small, -small), (small, 1), (-1, small))
    for p, r in ((0, -100), (-100, 0), (0, 100), (100, 0), (0, 0), *more):
        judge(answer, random_tokens(4, rng), sp.Rational(p), sp.Rational(r))
    four, p, r = random_tokens(4, rng), sp.Integer(2), sp.Integer(-5)
    every_time(answer, (*four, p, r), lambda again: judge(again, four, p, r))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Either sign, and nothing added."""
    numbers = [(1, 0), (0, 1), (0, 0), (-3, 2), (sp.Rational(1, 2), -4), (-5, -6)]
    frames = [standard_tokens(), random_tokens(4, rng), random_tokens(5, rng)]
    return [(*frames[i % 3], sp.sympify(p), sp.sympify(r)) for i, (p, r) in enumerate(numbers)]


def hull_proof(u_a, u_b, u_c, u_d, p, r):
    """The reference."""
    return 0, 0, 0


def with_a_direction(u_a, u_b, u_c, u_d, p, r):
    """The weights, and a w with a part against every other direction."""
    return (0, 0, 0), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def at_right_angles_to_all_tokens(u_a, u_b, u_c, u_d, p, r):
    """The part of u_b that is orthogonal to all three tokens."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a + p * u_d + r * u_c, u_c + u_b)
    return [0, 0, 0], u_b - tokens * (tokens.T * tokens).inv() * tokens.T * u_b


def solved_along_three_directions(u_a, u_b, u_c, u_d, p, r):
    """The weights by solving the three equations; w with the part along u_a that makes w·x₁ vanish."""
    equations = sp.Matrix([[0, 1, 0], [0, r, 1], [1, p, 0]])  # a row for the part along u_a, u_c and u_d
    return equations.LUsolve(sp.zeros(3, 1)), u_b - u_c - u_d + (p + r) * u_a


def lowered_by_half(u_a, u_b, u_c, u_d, p, r):
    """Half of u_c and u_d is enough, and any length of w will do."""
    zero = sp.Integer(0)
    return (zero, zero, zero), sp.exp(u_b.dot(u_b)) * (2 * u_b - u_c - u_d - (p**2 + r**2 + 1) * u_a)


def as_a_table_of_products(u_a, u_b, u_c, u_d, p, r):
    """w by its products with the four directions: below 0 on all tokens."""
    square = u_a.dot(u_a)
    products = sp.Matrix([-abs(p) * 3 - abs(r) * 3 - 1, 1, -2, -2])
    return sp.zeros(3, 1), sp.Matrix.hstack(u_a, u_b, u_c, u_d) * products / square


def in_decimals(u_a, u_b, u_c, u_d, p, r):
    """Decimal numbers; w is made of its parts one after the other."""
    w = sp.zeros(len(u_b), 1)
    for part, feature in zip([-5.0 * max(p, -p, r, -r), 1.0, -1.5, -1.5], [u_a, u_b, u_c, u_d], strict=True):
        w += part * feature
    return [0.0] * 3, w


def as_an_array(u_a, u_b, u_c, u_d, p, r):
    """A tensor of three numbers, solved with torch."""
    equations = torch.tensor([[0.0, 1.0, 0.0], [0.0, float(r), 1.0], [1.0, float(p), 0.0]])
    return torch.linalg.solve(equations, torch.zeros(3))


def w_is_u_b(u_a, u_b, u_c, u_d, p, r):
    """Your w points along u_b. Along it the tokens x₀ and x₂ lie exactly as far as u_b: w·x₀ = w·u_b. The
    inequality must be strict.
    """
    return (0, 0, 0), u_b


def w_lowered_along_c_only(u_a, u_b, u_c, u_d, p, r):
    """Your w has a part against u_c, which x₂ contains, but w·x₀ still equals w·u_b.
    Add a part against u_d.
    """
    return (0, 0, 0), u_b - u_c - (abs(p) + abs(r)) * u_a


def w_lowered_along_d_only(u_a, u_b, u_c, u_d, p, r):
    """Your w has a part against u_d, which x₀ contains, but w·x₂ still equals w·u_b.
    Add a part against u_c.
    """
    return (0, 0, 0), u_b - u_d - (abs(p) + abs(r)) * u_a


def w_for_positive_numbers_only(u_a, u_b, u_c, u_d, p, r):
    """Your w works for positive p and r. If one of them is negative, w·x₁ can be as large as you like; add a
    part against u_a that depends on p and r.
    """
    return (0, 0, 0), u_b - u_c - u_d


def w_held_back_too_little(u_a, u_b, u_c, u_d, p, r):
    """Your part against u_a has a fixed size, and a large negative p or r exceeds it.
    Let it depend on p and r.
    """
    return (0, 0, 0), u_b - u_c - u_d - u_a


def w_the_other_way(u_a, u_b, u_c, u_d, p, r):
    """Your w has the wrong sign: w·u_b must be larger than w·x for every token, and yours is smaller."""
    return (0, 0, 0), -u_b + u_c + u_d + (abs(p) + abs(r)) * u_a


def half_of_first_and_third(u_a, u_b, u_c, u_d, p, r):
    """The weights are half of x₀ and half of x₂. They give u_b, but also half of u_c and half of u_d."""
    return (sp.Rational(1, 2), 0, sp.Rational(1, 2)), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def all_of_the_first(u_a, u_b, u_c, u_d, p, r):
    """All weight is on x₀. It contains u_b, but u_d comes with it."""
    return (1, 0, 0), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def all_of_the_third(u_a, u_b, u_c, u_d, p, r):
    """All weight is on x₂. It contains u_b, but u_c comes with it."""
    return (0, 0, 1), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def first_minus_second(u_a, u_b, u_c, u_d, p, r):
    """x₁ is subtracted from x₀. That could cancel the u_d of x₀, but it brings u_a, which no other token can
    cancel. So the weight of x₁ must be 0.
    """
    return (1, -1, 0), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def equal_weights(u_a, u_b, u_c, u_d, p, r):
    """The weights are equal and leave a third of u_a. Only weight 0 on x₁ removes it."""
    third = sp.Rational(1, 3)
    return (third, third, third), u_b - u_c - u_d - (abs(p) + abs(r)) * u_a


def weights_that_add_up(u_a, u_b, u_c, u_d, p, r):
    """The weights add up to 1, but u_a, u_c or u_d is left in the sum. The three equations come first, then
    the sum of the weights.
    """
    return sp.Rational(1, 2), sp.Rational(1, 4), sp.Rational(1, 4)


KEY = AnswerKey(
    id="hull_proof",
    hidden=hidden,
    reference=hull_proof,
    accepted=(
        *(
            with_a_direction,
            at_right_angles_to_all_tokens,
            solved_along_three_directions,
            lowered_by_half,
            as_a_table_of_products,
            in_decimals,
            as_an_array,
        ),
    ),
    rejected=(
        *(
            w_is_u_b,
            w_lowered_along_c_only,
            w_lowered_along_d_only,
            w_for_positive_numbers_only,
            w_held_back_too_little,
        ),
        *(
            w_the_other_way,
            half_of_first_and_third,
            all_of_the_first,
            all_of_the_third,
            first_minus_second,
            equal_weights,
        ),
        *(weights_that_add_up,),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The sum $\alpha_0 x_0+\alpha_1 x_1+\alpha_2 x_2$ has the part $\alpha_1$ along $u_a$, because only $x_1$
    contains $u_a$. So $\alpha_1 = 0$. The part along $u_c$ is $\alpha_2 + r\alpha_1 = \alpha_2$, and the part
    along $u_d$ is $\alpha_0 + p\alpha_1 = \alpha_0$, so both are 0 too. Softmax weights add up to 1 and these
    add up to 0, so $u_b$ is not an average of the tokens, whatever $p$ and $r$ are. A common mistake is to
    start from weights that add up to 1, such as ½ and ½: they give $u_b$, but half of $u_c$ and half of $u_d$
    with it.
    """,
)
