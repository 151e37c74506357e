"""Answer key of value_matrix."""

from __future__ import annotations

import random

import sympy as sp
from course_exercises._tokens import many_tokens, random_tokens, standard_tokens
from course_exercises.value_matrix import is_exact

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh directions in five, six and four dimensions; those in four many times. Then nine dimensions, and
    another symbol.
    """
    for tokens in (*(random_tokens(dimension, rng) for dimension in (5, 6, 5)), many_tokens()):
        is_exact(answer(*tokens, BETA), tokens)
    tokens = random_tokens(6, rng)
    is_exact(Renamed(answer, BETA)(*tokens, BETA), tokens)
    four = random_tokens(4, rng)
    every_time(answer, (*four, BETA), lambda again: is_exact(again(*four, BETA), four))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The standard basis, and directions that point elsewhere."""
    return [(*tokens, BETA) for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng))]


def value_matrix(u_a, u_b, u_c, u_d, beta):
    """The reference."""
    return (u_b * u_b.T - u_c * u_c.T) / beta**2


def by_what_each_token_has_alone(u_a, u_b, u_c, u_d, beta):
    """u_d marks the first token and u_c the third; u_b is mapped to 0."""
    return (u_b * u_d.T + (u_b - u_c) * u_c.T) / u_d.dot(u_d)


def identity_with_two_changes(u_a, u_b, u_c, u_d, beta):
    """The identity, except that u_d goes to 0 and u_c to −u_c: W_V x₁ is u_a."""
    return sp.eye(len(u_a)) - u_d * u_d.T / beta**2 - 2 * u_c * u_c.T / beta**2


def solved_with_a_pseudo_inverse(u_a, u_b, u_c, u_d, beta):
    """Wanted values times the left inverse of the tokens; the second token becomes exp(β)·u_d."""
    tokens = sp.Matrix.hstack(u_d + u_b, u_a, u_c + u_b)
    wanted = sp.Matrix.hstack(u_b, sp.exp(beta) * u_d, u_b - u_c)
    return wanted * (tokens.T * tokens).inv() * tokens.T


def entry_by_entry(u_a, u_b, u_c, u_d, beta):
    """With unit vectors, an entry at a time, and something that neither token sees."""
    b, c, d = (u / beta for u in (u_b, u_c, u_d))
    unseen = b - c - d
    n = len(u_a)
    return sp.Matrix(n, n, lambda i, j: b[i] * b[j] - c[i] * c[j] + 7 * beta * u_a[i] * unseen[j])


def in_decimals(u_a, u_b, u_c, u_d, beta):
    """Decimal numbers, and u_b from u_b and u_d alike."""
    half = u_b * (u_b + u_d).T + (u_b - 2 * u_c) * u_c.T
    return 0.5 / beta**2 * (half + u_b * (u_b - u_d - u_c).T)


def not_divided(u_a, u_b, u_c, u_d, beta):
    """The outer products are not divided: u uᵀ takes u to (u·u) u, and u·u is β², not 1. So the values are β²
    times too long.
    """
    return u_b * u_b.T - u_c * u_c.T


def divided_once(u_a, u_b, u_c, u_d, beta):
    """The division is by β only, but u·u is β², the square of the length. So the values are β times
    too long.
    """
    return (u_b * u_b.T - u_c * u_c.T) / beta


def divided_by_nearly_the_square(u_a, u_b, u_c, u_d, beta):
    """The division is by something close to β², so the values are nearly right for large β. They must be
    exact for every β.
    """
    return (u_b * u_b.T - u_c * u_c.T) / (beta**2 + 1)


def u_c_not_turned(u_a, u_b, u_c, u_d, beta):
    """Your third value is u_b + u_c: the matrix must change the sign of u_c."""
    return (u_b * u_b.T + u_c * u_c.T) / beta**2


def u_c_forgotten(u_a, u_b, u_c, u_d, beta):
    """Your W_V keeps u_b alone: the first value is right, but the third has lost its −u_c."""
    return u_b * u_b.T / beta**2


def u_d_kept(u_a, u_b, u_c, u_d, beta):
    """Your first value is u_d + u_b: W_V must take u_d to 0."""
    return (u_b * u_b.T - u_c * u_c.T + u_d * u_d.T) / beta**2


def u_b_turned_as_well(u_a, u_b, u_c, u_d, beta):
    """Both directions change their sign, so −u_b comes out where u_b is wanted."""
    return -(u_b * u_b.T + u_c * u_c.T) / beta**2


def signs_exchanged(u_a, u_b, u_c, u_d, beta):
    """The two signs are exchanged: u_b must keep its sign, and u_c must change it."""
    return (u_c * u_c.T - u_b * u_b.T) / beta**2


def exchanged_tokens(u_a, u_b, u_c, u_d, beta):
    """The two values are exchanged: x₀, which contains u_d, must give u_b, and x₂ must give u_b − u_c."""
    return (u_b * u_c.T + (u_b - u_c) * u_d.T) / beta**2


def outer_products_transposed(u_a, u_b, u_c, u_d, beta):
    """Your outer products are transposed, or all of W_V is: u vᵀ takes v to u,
    so the vector that comes out must be written first.
    """
    return (u_d * u_b.T + u_c * (u_b - u_c).T) / beta**2


def told_by_what_is_shared(u_a, u_b, u_c, u_d, beta):
    """Both tokens are recognised by u_b, which both have, so each of them gets both values at once. u_d and
    u_c are in only one of them.
    """
    return (u_b * (u_d + u_b).T + (u_b - u_c) * (u_c + u_b).T) / beta**2


def whole_tokens_not_orthogonal(u_a, u_b, u_c, u_d, beta):
    """The division is by the squared length 2β² of a token, as if tokens were orthogonal. But x₀ and x₂ share
    u_b: x₀·x₂ = β².
    """
    return (u_b * (u_d + u_b).T + (u_b - u_c) * (u_c + u_b).T) / (2 * beta**2)


def only_the_standard_basis(u_a, u_b, u_c, u_d, beta):
    """W_V is written in numbers for the standard basis. In other directions these entries mean nothing; in
    general it is made of the given vectors.
    """
    n = len(u_a)
    return sp.diag(0, 1, -1, *[0] * (n - 3))


def four_by_four(u_a, u_b, u_c, u_d, beta):
    """W_V is always the same 4 × 4 matrix, right for the standard basis of four dimensions. In general it is
    made of the given vectors.
    """
    return sp.diag(0, 1, -1, 0)


def a_number_for_a_matrix(u_a, u_b, u_c, u_d, beta):
    """u.T * u is a row times a column, which is a single number. The matrix is a column times a row,
    u * u.T.
    """
    return (u_b.T * u_b - u_c.T * u_c) / beta**2


KEY = AnswerKey(
    id="value_matrix",
    hidden=hidden,
    reference=value_matrix,
    accepted=(
        *(
            by_what_each_token_has_alone,
            identity_with_two_changes,
            solved_with_a_pseudo_inverse,
            entry_by_entry,
            in_decimals,
        ),
    ),
    rejected=(
        *(
            not_divided,
            divided_once,
            divided_by_nearly_the_square,
            u_c_not_turned,
            u_c_forgotten,
            u_d_kept,
            u_b_turned_as_well,
        ),
        *(
            signs_exchanged,
            exchanged_tokens,
            outer_products_transposed,
            told_by_what_is_shared,
            whole_tokens_not_orthogonal,
        ),
        *(only_the_standard_basis, four_by_four, a_number_for_a_matrix),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The matrix maps $u_b$ to $u_b$, $u_c$ to $-u_c$, and everything orthogonal to both to 0. So
    $W_V x_0 = W_V(u_d + u_b) = u_b$ and $W_V x_2 = W_V(u_c + u_b) = u_b - u_c$. Each outer product
    $u\,u^\top$ maps $u$ to $(u\cdot u)\,u = \beta^2 u$, which is why we divide by $\beta^2$. The most common
    mistakes are to forget this division, and to write the matrix in numbers, which is right in the standard
    basis only.
    """,
)
