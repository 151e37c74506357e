"""Exercise plain_limit: the limit of the second output when keys,
queries and values are the tokens themselves.
"""

from __future__ import annotations

import random

import sympy
from course_exercises._tokens import NAMES, Tokens, is_the_limit, many_tokens, random_tokens, standard_tokens

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.symbolic.attention import self_attention


def judge(answer: Answer, tokens: Tokens) -> None:
    """Raise NotYet unless the answer is the limit of c₁.

    The logits of query x₁ = u_a are 0, β² and 0, so c₁ − x₁ = (x₀ + x₂ − 2x₁)/(2 + exp(β²)), which tends to
    0.
    """
    one = sympy.eye(tokens.dimension)
    output = self_attention(tokens.inputs, one, one, one)[1]
    is_the_limit(answer(*tokens), tokens.inputs[1], tokens, "limit", output)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, and other directions, also with one more dimension than needed, and in nine."""
    skew = (random_tokens(dimension, rng) for dimension in (4, 5, 5))
    for tokens in (standard_tokens(), *skew, many_tokens()):
        judge(answer, tokens)
    leaves_alone(answer, NAMES, *standard_tokens())
    return right("c₁ tends to that vector, for any four orthogonal directions")


EXERCISE = Exercise(
    id="plain_limit",
    title="The limit without matrices",
    order=1,
    points=1,
    difficulty=1,
    importance=4,
    minutes=6,
    source="CS224n A5 1(e)",
    hints=(
        "c₁ is a weighted average of the three tokens. Which three logits decide its weights?",
        "Compute x₀·x₁, x₁·x₁ and x₂·x₁. Different u are orthogonal, and u·u = β² for each of them.",
        (
            "Write the tokens as sums of the u and multiply out. Only products of a u with itself remain. One"
            " of the three logits grows with β and the other two do not. Which weight tends to 1?"
        ),
    ),
    check=check,
)
