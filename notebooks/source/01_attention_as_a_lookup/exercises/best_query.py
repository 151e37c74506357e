"""Exercise best_query: the query of a given length with the largest margin for two keys."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import BooleanAtom

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.read_values import truth
from kqa_core.exercise_helpers.queries import Renamed, kind_of, query_column, readable_expression
from kqa_core.symbolic.attention import Matrix, orthonormal_frame, standard_basis
from kqa_core.symbolic.limits import value_at

R = sympy.Symbol("R", positive=True)
LENGTHS = (1.0, 2.5, 0.03, 70.0)  # values of R at which an answer is evaluated
# of exact expressions, evaluated to more than ten digits; decimals in an answer are accurate to 1e-15
CLOSE = 1e-9
ROUNDING = 1e-8  # a gain in the margin that counts: above what CLOSE allows the length to differ


def margin(coefficients: Sequence[float], a: int, b: int) -> float:
    """The lower of logits a and b minus the highest of the others."""
    return min(coefficients[a], coefficients[b]) - max(
        x for i, x in enumerate(coefficients) if i not in (a, b)
    )


def squared_margin(coefficients: Sequence[int], a: int, b: int) -> Fraction:
    """The square of the margin per length of the query Σ cᵢkᵢ, exactly; all cᵢ are whole numbers."""
    return Fraction(int(margin(coefficients, a, b)) ** 2, sum(c * c for c in coefficients))


def read_answer(result: object, dimension: int) -> tuple[bool, Matrix, Any]:
    """`result` as (second_wins, q, margin); NotYet says what is wrong."""
    if not isinstance(result, (tuple, list)):
        expect(False, f"return three things: second_wins, q and margin; yours is {kind_of(result)}")
    assert isinstance(result, (tuple, list))
    expect(len(result) == 3, f"return three things: second_wins, q and margin; you return {len(result)}")
    wins, query, gap = result
    if isinstance(wins, sympy.core.relational.Relational):
        more = ", which sympy has left open: compare without R, or wrap it in bool(...) once R is gone"
        expect(False, f"second_wins must be True or False; yours is {kind_of(wins)}{more}")
    wins = wins is sympy.true if isinstance(wins, BooleanAtom) else truth(wins, "second_wins")
    column = query_column(query, dimension, [R])
    number = type(gap) in (int, float) or isinstance(gap, sympy.Expr)
    expect(number, f"margin must be an expression in R; yours is {kind_of(gap)}")
    expression = sympy.sympify(gap, strict=True)
    readable_expression(expression, [R], "margin")
    return wins, column, expression


def coefficients_at(query: Matrix, keys: Sequence[Matrix], length: float) -> tuple[list[float], float]:
    """The logits of `query` if R is `length`, and the query's length."""
    entries = [value_at(entry, R, length) for entry in query.flat()]
    numbers = [entry for entry in entries if entry is not None]
    expect(
        len(numbers) == len(entries),
        f"q has an entry that cannot be evaluated at R = {length:g}; write it in a simpler form",
    )
    return [sum(float(k) * x for k, x in zip(key, numbers, strict=True)) for key in keys], math.hypot(
        *numbers
    )


def judge(answer: Answer, keys: Sequence[Matrix], a: int, b: int) -> list[float]:
    """Raise NotYet unless the parts agree and no query of the same length is better.
    Returns margin / R for each length.
    """
    n, d = len(keys), len(keys[0])
    along = "" if all(sorted(map(abs, key))[-2] == 0 for key in keys) else " that are not along the axes"
    case = f"for {n} keys in {d} dimensions{along}, a = {a} and b = {b}"
    wins, query, gap = read_answer(answer(list(keys), a, b, R), d)
    up_only = [int(i in (a, b)) for i in range(n)]
    up_and_down = [1 if i in (a, b) else -1 for i in range(n)]
    second, first = squared_margin(up_and_down, a, b), squared_margin(up_only, a, b)
    truly = second > first
    sign = (
        "has the larger margin"
        if truly
        else "has the same margin as the first"
        if second == first
        else "has the smaller margin"
    )
    expect(wins == truly, f"{case}, at equal length, the second query {sign}; your second_wins is {wins}")
    found = []
    for length in LENGTHS:
        logits, norm = coefficients_at(query, keys, length)
        expect(
            abs(norm - length) <= CLOSE * length,
            f"{case}, at R = {length:g}, your q has length {norm:.10g}; it should have length R",
        )
        reached, claimed = margin(logits, a, b), value_at(gap, R, length)
        move = better_move(logits, length, a, b)
        less = f"your q has the margin {reached:.4g}, and another query of this length has a larger one"
        with names_changes(answer, ("keys",), list(keys), a, b, R):
            expect(move is None, f"{case}, at R = {length:g}, {less}: it {move}")
        said = "cannot be evaluated" if claimed is None else f"is {claimed:.10g}"
        agree = claimed is not None and abs(claimed - reached) <= CLOSE * length
        expect(
            agree,
            f"{case}, at R = {length:g}, the margin of your q is {reached:.10g}; the one you return {said}",
        )
        found.append(reached / length)
    return found


def better_move(logits: Sequence[float], length: float, a: int, b: int) -> str | None:
    """How a query of this length and a larger margin differs from the one with these `logits`;
    None if there is none.

    Equal logits for a and b, and for all others, never lower the margin and never make the query longer. So a
    best query has them, and then one number is left: how far the others lie below. The margin is concave in
    it, so small steps decide.
    """
    others = [x for i, x in enumerate(logits) if i not in (a, b)]
    if margin(logits, a, b) <= 0:
        return "puts keys a and b ahead of all other keys"
    if math.hypot(*logits) < (1 - ROUNDING) * length:
        return "has no part that is perpendicular to all keys"
    top, mean = max(others), sum(others) / len(others)
    same = (logits[a] + logits[b]) / 2
    moves = [
        ("gives keys a and b the same logit", [same if i in (a, b) else x for i, x in enumerate(logits)])
    ]
    levels = [("gives all other keys the same logit", mean)]
    for step in (0.3, 0.03, 0.003, 0.0003):
        levels.append(("lowers the logits of the other keys more", top - step * length))
        levels.append(("lowers the logits of the other keys less", top + step * length))
    moves += [(what, [x if i in (a, b) else level for i, x in enumerate(logits)]) for what, level in levels]
    for what, moved in moves:
        if margin(moved, a, b) * length / math.hypot(*moved) > margin(logits, a, b) + ROUNDING * length:
            return what
    return None


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis, two pairs, and four keys of five entries; then a few keys and many, among them a
    tie, and four sets of keys that are not the standard basis, two of one size; another symbol.
    """
    judge(answer, standard_basis(4), 0, 1)
    judge(answer, standard_basis(4), 2, 0)
    judge(answer, standard_basis(3), 2, 0)
    judge(answer, standard_basis(5), 4, 2)
    judge(answer, standard_basis(5)[:4], 2, 0)
    for count, dimension, a, b in ((4, 4, 2, 0), (3, 3, 2, 0), (5, 5, 4, 2), (4, 6, 1, 3), (3, 3, 2, 0)):
        judge(answer, orthonormal_frame(count, dimension, rng), a, b)
    for count in (7, 8, 9, 10, 12, 24):
        judge(answer, standard_basis(count), 3, 6)
    judge(answer, standard_basis(9)[:5], 3, 1)
    judge(Renamed(answer, R), orthonormal_frame(4, 5, rng), 3, 0)
    leaves_alone(answer, ("keys",), standard_basis(4), 0, 1, R)
    return right("no query of length R keeps the two keys further ahead")


EXERCISE = Exercise(
    id="best_query",
    title="The query with the largest margin",
    order=16,
    points=2,
    difficulty=4,
    importance=2,
    minutes=25,
    source="this course",
    hints=(
        (
            "A fair comparison needs queries of the same length. How long is each of the two queries, in"
            " terms of beta and n?"
        ),
        (
            "Set both lengths to R, solve for each beta, and compare the two margins. For the best query, use"
            " symmetry: a and b get one logit x, all others one logit y. What is its length, and what is its"
            " margin?"
        ),
        (
            "The length is R, so (√2·x, −√(n − 2)·y) has length R. Its dot product with (1/√2, 1/√(n − 2)) is"
            " the margin x − y, so the margin is largest when both point in the same direction. This gives y"
            " = −2x/(n − 2). Then find x from the length."
        ),
    ),
    check=check,
    extra=True,
)
