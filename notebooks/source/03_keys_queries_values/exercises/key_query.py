"""Exercise key_query: queries and keys that give each of two tokens the value it needs.

The exercise is judged by the limit alone, with a W_V that satisfies the conditions of value_matrix:

- W_V x₀ = u_b and W_V x₂ = u_b − u_c. Take W_V x₁ = 0. Then c₀ = (α₀₀ + α₀₂) u_b − α₀₂ u_c tends to u_b − u_c
  exactly if α₀₂ → 1. And c₁ = (α₁₀ + α₁₂) u_b − α₁₂ u_c tends to u_b exactly if α₁₀ → 1. So a pair works
  exactly if both margins grow without bound.
- A student who needs another W_V may return it as a third matrix. Then the outputs themselves decide, W_V x₁
  included.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._tokens import (
    NAMES,
    Tokens,
    combination,
    many_tokens,
    matrix_answer,
    random_tokens,
    several,
    standard_tokens,
)
from course_exercises.value_matrix import is_exact

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.queries import Renamed, no_limit
from kqa_core.symbolic.attention import (
    BETA,
    Matrix,
    dies_out,
    limit_gaps,
    limit_weights,
    product_of,
    projected_scores,
    takes_all,
)
from kqa_core.symbolic.terms import Score

WANTED = ((0, 2, "u_b − u_c"), (1, 0, "u_b"))  # (row, index of the value it needs, the value as text)
EXCHANGED = (
    f". With the two matrices exchanged it would be right. {POSSIBLE}W_K is returned first and W_Q second,"
    " or, if one of them is the identity, the other one is transposed"
)


def judge(answer: Answer, tokens: Tokens) -> None:
    """Raise NotYet unless c₀ → u_b − u_c and c₁ → u_b for these directions."""
    parts = several(answer(*tokens, BETA), ("W_Q", "W_K"), optional="W_V")
    query_matrix = matrix_answer(parts[0], tokens.dimension, "W_Q")
    key_matrix = matrix_answer(parts[1], tokens.dimension, "W_K")
    same = query_matrix.shape[0] == key_matrix.shape[0]
    expect(
        same,
        f"W_Q and W_K need the same number of rows; yours have {query_matrix.shape[0]} and"
        f" {key_matrix.shape[0]}",
    )
    value_matrix = is_exact(parts[2], tokens) if len(parts) == 3 else None
    for row, winner, target in WANTED:
        logits = projected_scores(tokens.inputs, query_matrix, key_matrix, row)
        done = (
            takes_all(logits, winner, BETA)
            if value_matrix is None
            else _reaches(logits, winner, value_matrix, tokens)
        )
        if not done:
            unknown = no_limit(query_matrix, key_matrix, name="W_Q or W_K")
            said = f"{tokens.case}: {_said(logits, row, winner, target, value_matrix is None, unknown)}"
            # in other directions a pair may happen to work when exchanged, although it was right in these
            exchanged = tokens == standard_tokens() and _works(tokens, key_matrix, query_matrix)
            expect(False, said + (EXCHANGED if exchanged else ""))


def _works(tokens: Tokens, query_matrix: Matrix, key_matrix: Matrix) -> bool:
    """Whether the pair works with a W_V that maps x₁ to 0."""
    rows = (
        (projected_scores(tokens.inputs, query_matrix, key_matrix, row), winner) for row, winner, _ in WANTED
    )
    return all(takes_all(logits, winner, BETA) for logits, winner in rows)


def _reaches(logits: Sequence[Score], winner: int, value_matrix: Matrix, tokens: Tokens) -> bool | None:
    """Whether the output with these logits tends to the value `winner`,
    measured in units of beta; None: not decided.
    """
    gaps = limit_gaps(logits, BETA, first=winner)
    if gaps is None and not takes_all(logits, winner, BETA):
        return None
    leader = winner if gaps is None else gaps.index(max(gaps))
    values = [product_of(value_matrix, x) for x in tokens.inputs]
    return dies_out(logits, leader, [(value - values[winner]) / BETA for value in values], BETA)


def _said(logits: Sequence[Score], row: int, winner: int, target: str, plain: bool, unknown: str) -> str:
    """The limits of a row's weights and of its output, as text; `unknown` ends it if there is none."""
    output = "c₀" if row == 0 else "c₁"
    weights = limit_weights(logits, BETA)
    if weights is None:
        return f"the check cannot find the limit of the weights of query {row} as beta grows{unknown}"
    tend = (
        f"as beta grows, the weights of query {row} tend to"
        f" ({', '.join(f'{weight:.3g}' for weight in weights)})"
    )
    if not plain:
        return f"{tend}, and with your W_V the output {output} does not tend to {target}"
    if weights[winner] > 0.99:
        return (
            f"{tend}; {output} comes near {target}, but does not tend to it: a margin between the logits of"
            f" query {row} stays bounded"
        )
    a0, a1, a2 = weights
    so = "so" if a1 < 0.005 else "so with W_V x₁ = 0,"
    return (
        f"{tend}, {so} {output} tends to {combination((a0 + a2, -a2), ('u_b', 'u_c'))}; it should be {target}"
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, four other directions, four in five and in nine dimensions, and another symbol."""
    for tokens in (standard_tokens(), random_tokens(4, rng), random_tokens(5, rng), many_tokens()):
        judge(answer, tokens)
    judge(Renamed(answer, BETA), random_tokens(5, rng))
    leaves_alone(answer, NAMES, *standard_tokens(), BETA)
    return right("as beta grows, c₀ tends to u_b − u_c and c₁ to u_b, for any four orthogonal directions")


EXERCISE = Exercise(
    id="key_query",
    title="Build the query and key matrices",
    order=6,
    points=4,
    difficulty=3,
    importance=5,
    minutes=15,
    source="CS224n A5 1(e)ii",
    hints=(
        (
            "Which token has the value that c₀ needs, and which token has the value that c₁ needs? Write down"
            " the table of logits that you want."
        ),
        (
            "Give x₀ and x₂ keys that no other token has. Use a direction that only this token contains. Then"
            " let each query point along the key that it should match."
        ),
        (
            "Only x₀ contains u_d, and only x₂ contains u_c. The outer product u vᵀ maps a token that"
            " contains v to (v·v) u, and all other tokens to 0. Let W_K keep u_c and u_d. Which outer"
            " products in W_Q map x₀ to u_c and x₁ to u_d?"
        ),
    ),
    check=check,
)
