"""Exercise value_matrix: values from which the outputs can be built."""

from __future__ import annotations

import random

from course_exercises._tokens import Tokens, approaches, equals, in_words, matrix_answer, random_tokens, standard_tokens

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.symbolic.attention import BETA, Matrix, product_of


def is_exact(result: object, tokens: Tokens) -> Matrix:
    """`result` as a matrix V with V x₁ = u_b and V x₃ = u_b − u_c for every beta; NotYet says which condition fails."""
    matrix = matrix_answer(result, tokens.dimension, "V", square=True)
    x1, _, x3 = tokens.inputs
    for name, x, wanted, words in (("V x₁", x1, tokens.u_b, "u_b"), ("V x₃", x3, tokens.u_b - tokens.u_c, "u_b − u_c")):
        product = product_of(matrix, x)
        same = equals(product, wanted)
        expect(same is not None, f"{tokens.case}: {name} cannot be evaluated; write V in a simpler form")
        if not same:
            close = approaches(product, wanted)
            expect(
                not close, f"{tokens.case}: your {name} comes close to {words} as beta grows, but must equal it for every beta"
            )
            expect(False, f"{tokens.case}: at beta = 2 your {name} is {in_words(product, tokens)}; it must be {words}")
    return matrix


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, four other directions, and four in five dimensions."""
    for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng)):
        is_exact(answer(*tokens, BETA), tokens)
    return right("V makes u_b of the first token and u_b − u_c of the third, exactly, wherever the directions point")


EXERCISE = Exercise(
    id="value_matrix",
    title="Build a value matrix",
    order=4,
    points=2,
    difficulty=3,
    importance=4,
    minutes=15,
    source="CS224n A5 1(e)ii",
    hints=(
        "A matrix is decided by what it does to each direction. What should become of u_b, u_c and u_d so that the two sums come"
        " out right?",
        "The outer product u vᵀ turns a vector x into u, times the number v·x. Add up such products, one for each direction that"
        " is to be kept or changed.",
        "Let V keep u_b, forget u_d and turn u_c round: then V(u_d + u_b) and V(u_c + u_b) are as wanted. The product u uᵀ"
        " takes u to (u·u) u, and u·u is not 1 here: divide by what it is.",
    ),
    check=check,
)
