"""Exercise add_and_see: the limit of the second output after something is added to the second token."""

from __future__ import annotations

import random

import sympy
from course_exercises._tokens import (
    NAMES,
    Tokens,
    equals,
    is_the_limit,
    many_tokens,
    random_tokens,
    several,
    standard_tokens,
    vector_answer,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Outcome, Verdict, expect
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.partial_credit import by_parts
from kqa_core.symbolic.attention import self_attention

PARTS = {"the first limit": 1, "the second limit": 1}


def judge(answer: Answer, tokens: Tokens, part: str) -> None:
    """Raise NotYet unless one of the limits is right.

    With x₁ = u_a + u_d the logits of query x₁ are x₀·x₁ = β², x₁·x₁ = 2β² and x₂·x₁ = 0, so c₁ − x₁ tends to
    0 like β·exp(−β²). With u_c in place of u_d the roles of x₀ and x₂ are exchanged.
    """
    place, name = list(PARTS).index(part), part.removeprefix("the ")
    result = vector_answer(several(answer(*tokens), ("with_d", "with_c"))[place], tokens.dimension, name)
    (letter, added), (other, not_added) = [("d", tokens.u_d), ("c", tokens.u_c)][:: 1 - 2 * place]
    x0, x1, x2 = tokens.inputs
    if equals(result, x1 + added):
        return
    expect(
        equals(result, tokens.u_a + not_added) is not True,
        f"{tokens.case}: your {name} is the one with u_{other} added; it should be the one with u_{letter}",
    )
    expect(
        equals(result, tokens.u_a + tokens.u_c + tokens.u_d) is not True,
        f"{tokens.case}: your {name} is u_a + u_c + u_d; only u_{letter} is added here, to the old u_a."
        f" {POSSIBLE}u_{letter} is added to the sum with u_{other}",
    )
    inputs, one = [x0, x1 + added, x2], sympy.eye(tokens.dimension)
    output = self_attention(inputs, one, one, one)[1]
    is_the_limit(result, inputs[1], tokens, name, output)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, and other directions, also with one more dimension than needed, and in nine."""
    skew = (random_tokens(dimension, rng) for dimension in (4, 5, 5))
    cases = (standard_tokens(), *skew, many_tokens())

    def part(name: str) -> None:
        for tokens in cases:
            judge(answer, tokens, name)

    verdict = by_parts(PARTS, part, "both limits are right; neither is u_b")
    if verdict.outcome is Outcome.RIGHT:
        leaves_alone(answer, NAMES, *standard_tokens())
    return verdict


EXERCISE = Exercise(
    id="add_and_see",
    title="Add a vector to a token",
    order=2,
    points=2,
    parts=PARTS,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5 1(e)i",
    hints=(
        "The token x₁ is a query, a key and a value at the same time. Which of its three logits change?",
        "Compute the three logits of the new x₁ again. One of them is the logit of x₁ with itself.",
        (
            "With u_d added, x₀·x₁ contains u_d·u_d, and x₁·x₁ contains both u_a·u_a and u_d·u_d. Both logits"
            " grow with β, and so does their difference. Which weight tends to 1, and what is the value of"
            " that token?"
        ),
    ),
    check=check,
)
