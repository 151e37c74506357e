"""Exercise key_query: keys and queries that give each of two tokens the value it needs.

The exercise is judged by the limit alone, with a V that satisfies the conditions of value_matrix:

- V x₁ = u_b and V x₃ = u_b − u_c. Take V x₂ = 0. Then c₁ = (α₁₁ + α₁₃) u_b − α₁₃ u_c tends to u_b − u_c exactly if α₁₃ → 1.
  And c₂ = (α₂₁ + α₂₃) u_b − α₂₃ u_c tends to u_b exactly if α₂₁ → 1. So a pair works exactly if both margins grow without bound.
- A student who needs another V may return it as a third matrix. Then the outputs themselves decide, V x₂ included.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._tokens import Tokens, combination, matrix_answer, random_tokens, several, standard_tokens
from course_exercises.value_matrix import is_exact

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.symbolic.attention import BETA, Matrix, dies_out, limit_gaps, limit_weights, product_of, projected_scores, takes_all
from kqa_core.symbolic.terms import Score

WANTED = ((0, 2, "u_b − u_c"), (1, 0, "u_b"))  # (row, index of the value it needs, the value as text)


def judge(answer: Answer, tokens: Tokens) -> None:
    """Raise NotYet unless c₁ → u_b − u_c and c₂ → u_b for these directions."""
    parts = several(answer(*tokens, BETA), ("K", "Q"), optional="V")
    key_matrix = matrix_answer(parts[0], tokens.dimension, "K")
    query_matrix = matrix_answer(parts[1], tokens.dimension, "Q")
    same = key_matrix.shape[0] == query_matrix.shape[0]
    expect(same, f"K and Q need the same number of rows; yours have {key_matrix.shape[0]} and {query_matrix.shape[0]}")
    value_matrix = is_exact(parts[2], tokens) if len(parts) == 3 else None
    for row, winner, target in WANTED:
        logits = projected_scores(tokens.inputs, key_matrix, query_matrix, row)
        done = takes_all(logits, winner, BETA) if value_matrix is None else _reaches(logits, winner, value_matrix, tokens)
        if not done:
            expect(False, f"{tokens.case}: {_said(logits, row, winner, target, value_matrix is None)}")


def _reaches(logits: Sequence[Score], winner: int, value_matrix: Matrix, tokens: Tokens) -> bool | None:
    """Whether the output with these logits tends to the value `winner`, measured in units of beta; None: not decided."""
    gaps = limit_gaps(logits, BETA, first=winner)
    if gaps is None and not takes_all(logits, winner, BETA):
        return None
    leader = winner if gaps is None else gaps.index(max(gaps))
    values = [product_of(value_matrix, x) for x in tokens.inputs]
    return dies_out(logits, leader, [(value - values[winner]) / BETA for value in values], BETA)


def _said(logits: Sequence[Score], row: int, winner: int, target: str, plain: bool) -> str:
    """The limits of a row's weights and of its output, as text."""
    output = "c₁" if row == 0 else "c₂"
    weights = limit_weights(logits, BETA)
    if weights is None:
        return f"the check cannot tell where the weights of query {row + 1} go as beta grows; write K and Q in a simpler form"
    tend = f"as beta grows, the weights of query {row + 1} tend to ({', '.join(f'{weight:.3g}' for weight in weights)})"
    if not plain:
        return f"{tend}, and with your V the output {output} does not tend to {target}"
    if weights[winner] > 0.99:
        return (
            f"{output} comes near {target}, but does not tend to it: a margin between the logits of query {row + 1} stays bounded"
        )
    a1, _, a3 = weights
    return f"{tend}, and {output} with them to {combination((a1 + a3, -a3), ('u_b', 'u_c'))}; it should be {target}"


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, four other directions, and four in five dimensions."""
    for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng)):
        judge(answer, tokens)
    return right("as beta grows, the first output tends to u_b − u_c and the second to u_b, wherever the directions point")


EXERCISE = Exercise(
    id="key_query",
    title="Build the key and query matrices",
    order=5,
    points=4,
    difficulty=4,
    importance=5,
    minutes=30,
    source="CS224n A5 1(e)ii",
    hints=(
        "Which value does the first output need, and which the second? Write down the table of logits you would like to have.",
        "Give each token that is to be found a key that no other token has, made of a direction it shares with none. Then let"
        " each query point at the key it looks for.",
        "u_d belongs to x₁ alone and u_c to x₃ alone. The outer product u vᵀ takes a token that contains v to (v·v) u, and all"
        " others to 0. With K leaving u_c and u_d as they are, which outer products turn x₁ into u_c and x₂ into u_d?",
    ),
    check=check,
)
