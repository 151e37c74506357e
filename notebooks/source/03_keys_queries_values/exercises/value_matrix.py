"""Exercise value_matrix: values from which the outputs can be built."""

from __future__ import annotations

import random

from course_exercises._tokens import (
    NAMES,
    NEAR,
    Tokens,
    approaches,
    distance,
    equals,
    in_words,
    many_tokens,
    matrix_answer,
    random_tokens,
    standard_tokens,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA, Matrix, product_of


def is_exact(result: object, tokens: Tokens) -> Matrix:
    """`result` as a matrix W_V with W_V x₀ = u_b and W_V x₂ = u_b − u_c for every beta;
    NotYet says which condition fails.
    """
    matrix = matrix_answer(result, tokens.dimension, "W_V", square=True)
    x0, _, x2 = tokens.inputs
    for name, x, wanted, words in (
        ("W_V x₀", x0, tokens.u_b, "u_b"),
        ("W_V x₂", x2, tokens.u_b - tokens.u_c, "u_b − u_c"),
    ):
        product = product_of(matrix, x)
        same = equals(product, wanted)
        expect(same is not None, f"{tokens.case}: {name} cannot be evaluated; write W_V in a simpler form")
        if not same:
            close = approaches(product, wanted)
            expect(
                not close,
                f"{tokens.case}: your {name} tends to {words} as beta grows, but it must equal it for every"
                " beta",
            )
            beta = next((b for b in (2.0, 3.0) if in_words(product, tokens, b) != words), 5.0)
            off = distance(product, wanted, beta)
            expect(
                off is None or off > NEAR,
                f"{tokens.case}: at beta = {beta:g} your {name} is {off or 0:.2g}·‖u‖ away from {words},"
                " close to it but not equal",
            )
            expect(
                False,
                f"{tokens.case}: at beta = {beta:g} your {name} is {in_words(product, tokens, beta)}; it must"
                f" be {words}",
            )
    return matrix


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, four other directions, four in five and in nine dimensions, and another symbol."""
    for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng), many_tokens()):
        is_exact(answer(*tokens, BETA), tokens)
    tokens = random_tokens(5, rng)
    is_exact(Renamed(answer, BETA)(*tokens, BETA), tokens)
    leaves_alone(answer, NAMES, *standard_tokens(), BETA)
    return right("W_V x₀ = u_b and W_V x₂ = u_b − u_c, exactly, for any four orthogonal directions")


EXERCISE = Exercise(
    id="value_matrix",
    title="Build a value matrix",
    order=5,
    points=2,
    difficulty=3,
    importance=4,
    minutes=15,
    source="CS224n A5 1(e)ii",
    hints=(
        (
            "A matrix is determined by its effect on each direction. To what should it map u_b, u_c and u_d,"
            " so that both sums are right?"
        ),
        (
            "The outer product u vᵀ maps a vector x to u, times the number v·x. Add such products, one for"
            " each direction that W_V keeps or changes."
        ),
        (
            "Let W_V map u_b to u_b, u_d to 0 and u_c to −u_c. Then W_V(u_d + u_b) and W_V(u_c + u_b) are as"
            " required. The product u uᵀ maps u to (u·u) u, and u·u is not 1 here: divide by its value."
        ),
    ),
    check=check,
)
