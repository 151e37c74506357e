"""Exercise two_heads: two queries whose outputs average to ½(v_a + v_b), for every positive length of key a.

With Σ_a = σ²I + ½·mu_a·mu_aᵀ and σ² → 0, key a is ε·mu_a and every other key is at its mean. The pair is
judged for several ε > 0, tiny and huge ones among them, since the limit depends only on which differences of
logits grow.
"""

from __future__ import annotations

import random
from typing import Any

import sympy
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.queries import EQUAL, STEEP, Renamed, kind_of, no_limit, query_column
from kqa_core.symbolic.attention import BETA, Matrix, limit_gaps, orthonormal_frame, scores, standard_basis

# of key a along its mean
LENGTHS = tuple(sympy.Rational(text) for text in ("1", "1/2", "3", "1/1000000000", "1000000000"))
EXTREME = (sympy.Rational(1, 10**30), sympy.Integer(10) ** 30)  # beyond the digits of decimal numbers


def pair_of_queries(result: object, dimension: int, case: str = "") -> tuple[Matrix, Matrix]:
    """`result` as two columns; NotYet says what is wrong."""
    if not isinstance(result, (tuple, list)):
        expect(False, f"return two queries, (q0, q1); yours is {kind_of(result)}")
    assert isinstance(result, (tuple, list))
    expect(len(result) == 2, f"return two queries, (q0, q1); you return {len(result)}")
    first, second = (
        query_column(query, dimension, [BETA], name, case)
        for query, name in zip(result, ("q0", "q1"), strict=True)
    )
    return first, second


def limits(keys: list[Matrix], query: Matrix, case: str) -> list[Any]:
    """The limits of a head's weights, as mpf. A fixed share is not 0, however small it is."""
    gaps = limit_gaps(scores(keys, query), BETA)
    if gaps is None:
        expect(
            False,
            f"{case}: the check cannot tell where the weights go as beta grows{no_limit(query)}",
        )
    assert gaps is not None
    shares = [mp.exp(gap - max(gaps)) for gap in gaps]
    return [share / mp.fsum(shares) for share in shares]


def judge(answer: Answer, means: list[Matrix], a: int, b: int, case: str) -> None:
    """Raise NotYet unless the mean of the two heads' weights tends to ½ on a and on b for every
    positive length of key a.
    """
    case = f"{case}, a = {a} and b = {b}"
    queries = pair_of_queries(answer(means[a], means[b], BETA), len(means[0]), case)
    exact = not any(query.has(sympy.Float) for query in queries)
    for length in (*LENGTHS, *EXTREME) if exact else LENGTHS:
        keys = [length * mean if i == a else mean for i, mean in enumerate(means)]
        where = f"{case}, with key a at {_said(length)}its mean"
        heads = [
            limits(keys, query, f"{where}, {name}") for query, name in zip(queries, ("q0", "q1"), strict=True)
        ]
        weights = [(x + y) / 2 for x, y in zip(*heads, strict=True)]
        reads = (
            f"{where}: the weights of head 0 tend to {_listed(heads[0])}, those of head 1 to"
            f" {_listed(heads[1])}"
        )
        off = max(abs(weights[i] - 0.5) for i in (a, b))
        rest = [i for i, weight in enumerate(weights) if i not in (a, b) and weight > 0]
        kept = f"{reads}; key {rest and rest[0]} keeps a share in the limit"
        expect(not rest or bool(off > 1e-3), kept)  # if a and b seem to have 1/2 each
        expect(bool(off <= EQUAL), f"{reads}; together keys {a} and {b} should have 1/2 each")


def _said(length: Any) -> str:
    return {LENGTHS[0]: ""}.get(length, f"{float(length):g} times ")


def _listed(weights: list[Any]) -> str:
    return "(" + ", ".join(_short(weight) for weight in weights) + ")"


def _short(weight: Any) -> str:
    return f"{float(weight):.3g}" if float(weight) or not weight else str(mp.nstr(weight, 3))  # below 1e-323


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The standard basis first, then means in other directions, one nearly along an axis; nine dimensions;
    another symbol.
    """
    for a, b in ((0, 1), (2, 0)):
        judge(answer, standard_basis(4), a, b, "for means along the axes of four dimensions")
    judge(answer, standard_basis(5), 2, 0, "for means along the axes of five dimensions")
    judge(
        answer,
        orthonormal_frame(4, 5, rng),
        2,
        0,
        "for four orthonormal means in five dimensions that are not along the axes",
    )
    judge(answer, [*STEEP], 0, 1, "for two means, one of them nearly along an axis")
    for a, b in ((7, 0), (0, 7)):
        judge(answer, standard_basis(9)[:0:-1], a, b, "for eight means along axes of nine dimensions")
    judge(
        Renamed(answer, BETA),
        orthonormal_frame(4, 4, rng),
        2,
        0,
        "for four orthonormal means and beta_2 as beta",
    )
    leaves_alone(answer, ("mu_a", "mu_b"), *standard_basis(4)[:2], BETA)
    return right("the two heads together average values a and b, for every positive length of key a")


EXERCISE = Exercise(
    id="two_heads",
    title="Average with two heads",
    order=5,
    points=1,
    difficulty=2,
    importance=5,
    minutes=8,
    source="CS224n A5 1(d)",
    hints=(
        "One head could not keep two logits equal. Does any of the two heads have to?",
        (
            "The average is taken after the heads, with fixed weights of ½. So let each head do something"
            " that does not change when key a gets longer or shorter."
        ),
        (
            "A head that copies value a needs logit a to lead by a growing amount. With the query beta·mu_a"
            " it does so for any positive length of key a. For the head that copies value b: what should its"
            " logit with key a be?"
        ),
    ),
    check=check,
)
