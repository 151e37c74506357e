"""Exercise add_and_see: the limit of the second output after something is added to the second token."""

from __future__ import annotations

import random

import sympy
from course_exercises._tokens import Tokens, is_the_limit, random_tokens, several, standard_tokens

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.symbolic.attention import self_attention


def judge(answer: Answer, tokens: Tokens) -> None:
    """Raise NotYet unless both limits are right.

    With x₂ = u_a + u_d the logits of query x₂ are x₁·x₂ = β², x₂·x₂ = 2β² and x₃·x₂ = 0, so c₂ − x₂ tends to 0 like β·exp(−β²).
    With u_c in place of u_d the roles of x₁ and x₃ are exchanged.
    """
    one = sympy.eye(tokens.dimension)
    names = ("with_d", "with_c")
    results = several(answer(*tokens), names)
    for result, place, letter, added in zip(results, ("first", "second"), "dc", (tokens.u_d, tokens.u_c), strict=True):
        x1, x2, x3 = tokens.inputs
        inputs = [x1, x2 + added, x3]
        output = self_attention(inputs, one, one, one)[1]
        weights = f"compare the three dot products with the new x₂ = u_a + u_{letter}"
        is_the_limit(result, inputs[1], tokens, f"{place} limit", output, weights)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, and other directions, with one more dimension than needed."""
    for tokens in (standard_tokens(), random_tokens(5, rng)):
        judge(answer, tokens)
    return right("both limits are right; neither is u_b")


EXERCISE = Exercise(
    id="add_and_see",
    title="Add a vector to a token",
    order=2,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5 1(e)i",
    hints=(
        "The second token is at once a query, a key and a value. Which of the logits change when it changes?",
        "Work out the three logits of the new query again, and mind that the new x₂ meets itself as a key too.",
        "x₁·x₂ has one pair of equal u in it, x₂·x₂ has two. Both grow with β. Their difference decides how these two values"
        " share, and it grows as well: what is left of the smaller one, and what is the value of the larger one?",
    ),
    check=check,
)
