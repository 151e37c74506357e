"""Exercise hull_proof: why c₁ cannot be u_b, whatever multiples of u_c and u_d are added to x₁.
The direction w is optional.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np
import sympy
import torch
from course_exercises._tokens import (
    NAMES,
    Tokens,
    combination,
    many_tokens,
    numbers_at,
    random_tokens,
    standard_tokens,
    vector_answer,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.queries import kind_of, readable_expression
from kqa_core.symbolic.attention import BETA, Matrix, outside_hull, vanishes
from kqa_core.symbolic.limits import size


def changed_inputs(tokens: Tokens, p: sympy.Rational, r: sympy.Rational) -> list[Matrix]:
    """The tokens after x₁ has become u_a + p·u_d + r·u_c."""
    x0, x1, x2 = tokens.inputs
    return [x0, x1 + p * tokens.u_d + r * tokens.u_c, x2]


def three_numbers(result: object, case: str) -> list[sympy.Expr]:
    """`result` as three real numbers; NotYet says what is wrong. `case` names the input."""
    if isinstance(result, (sympy.MatrixBase, sympy.Tuple)):
        result = list(result.flat() if isinstance(result, sympy.MatrixBase) else result)
    if isinstance(result, (torch.Tensor, np.ndarray)) and result.ndim:
        result = result.reshape(-1).tolist()
    if not isinstance(result, (tuple, list)):
        expect(False, f"weights must be three numbers, as in (a0, a1, a2); yours is {kind_of(result)}")
    assert isinstance(result, (tuple, list))
    expect(len(result) == 3, f"weights must be three numbers, one for each token; you return {len(result)}")
    result = [plain(entry) for entry in result]
    for entry in result:
        number = type(entry) in (int, float) or isinstance(entry, sympy.Expr)
        expect(number, f"each of the weights must be a number; one of yours is {kind_of(entry)}")
    numbers = [sympy.sympify(entry, strict=True) for entry in result]
    for entry in numbers:
        strange = sorted(str(symbol) for symbol in entry.free_symbols - {BETA})
        expect(
            not strange,
            f"weights must be three numbers; yours contains the symbol {', '.join(strange)}. The three"
            " equations fix every weight",
        )
        readable_expression(entry, [BETA], f"{case}: weights")
    return numbers


def pair(result: object) -> TypeGuard[Sequence[object]]:
    """Whether `result` is two things, the first of which is no single number: the weights and w."""
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        return False
    return not isinstance(plain(result[0]), (int, float, sympy.Expr))


def plain(entry: object) -> object:
    """A number of numpy's or torch's as Python's; anything else as it is."""
    array = isinstance(entry, (torch.Tensor, np.ndarray, np.generic))
    return entry.item() if array and math.prod(entry.shape) == 1 else entry  # type: ignore[attr-defined]  # arrays have both


def judge(answer: Answer, tokens: Tokens, p: sympy.Rational, r: sympy.Rational) -> None:
    """Raise NotYet unless the weights solve the three equations,
    and w, if it is given, separates u_b from all averages.

    Along u_a, u_c and u_d the sum of αx has α₁, α₂ + rα₁ and α₀ + pα₁. All are 0 only for α = (0, 0, 0),
    whose sum is not 1. w·c ≤ max w·xᵢ for every average c, so w·u_b > max w·xᵢ is a second proof that u_b is
    not an average.
    """
    inputs = changed_inputs(tokens, p, r)
    case = f"{tokens.case}, with p = {p} and r = {r}"
    result = answer(*tokens, p, r)
    weights, direction = result if pair(result) else (result, None)
    if direction is not None and not isinstance(direction, sympy.MatrixBase):
        more = f"return the three numbers alone; the second thing that you return is {kind_of(direction)}"
        expect(False, f"{more} (only a column w may follow them, with w·u_b above w·x for every token)")
    a0, a1, a2 = three_numbers(weights, case)
    parts = {"u_a": a1, "u_c": a2 + r * a1, "u_d": a0 + p * a1}
    left = [vanishes(part, BETA) for part in parts.values()]
    expect(None not in left, f"{case}: your weights cannot be evaluated; write them in a simpler form")
    column = sympy.Matrix([parts["u_a"], a0 + a2, parts["u_c"], parts["u_d"]])
    at_betas = [numbers_at(column, beta) or [0.0] * 4 for beta in (2.0, 3.0, 5.0)]
    values = next((row for row in at_betas if any(row[i] for i in (0, 2, 3))), at_betas[0])
    gives = combination(values, ("u_a", "u_b", "u_c", "u_d"))
    if gives == "0":
        gives = f"nearly 0, but has a part of {max(map(abs, values)):.2g}"
    yours = ", ".join(str(each) if size(each) < 9 else "…" for each in (a0, a1, a2))
    said = (
        f"{case}: with your weights ({yours}) the sum of the tokens is {gives}; it must have no part along"
        " u_a, u_c or u_d"
    )
    expect(all(left), said)
    if direction is not None:
        separates(vector_answer(direction, tokens.dimension, "w"), inputs, tokens.u_b, case)


def separates(w: Matrix, inputs: list[Matrix], target: Matrix, case: str) -> None:
    """Raise NotYet unless w·target is larger than w·x for every token x."""
    try:
        ahead = outside_hull(w, inputs, target, BETA)
    except ValueError:
        expect(False, f"{case}: w cannot be evaluated; write it in a simpler form")
    if ahead is not None:
        token, other = (numbers_at(w.T * vector) for vector in (inputs[ahead], target))
        at_two = ""
        if token and other and token >= other:
            at_two = f" (at beta = 2 they are {token[0]:.4g} and {other[0]:.4g})"
        said = f"w·x{'₀₁₂'[ahead]} is not smaller than w·u_b{at_two}, so w does not separate the two"
        expect(False, f"{case}: your three numbers are right, but {said}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The two changes of add_and_see, no change, changes of either sign, also in nine dimensions, large,
    equal and small ones, each in the standard basis first.
    """
    one, zero = sympy.S.One, sympy.S.Zero
    for tokens, p, r in (
        (standard_tokens(), one, zero),
        (standard_tokens(), zero, one),
        (standard_tokens(), -one, -one),
        (standard_tokens(), sympy.Integer(2), sympy.Integer(-3)),
        (standard_tokens(), zero, zero),
        (standard_tokens(), sympy.Integer(-40), sympy.Integer(-70)),
        (standard_tokens(), sympy.Integer(3), sympy.Integer(3)),
        (standard_tokens(), sympy.Rational(1, 1000), sympy.Rational(-1, 1000)),
        (random_tokens(4, rng), zero, zero),
        (random_tokens(5, rng), sympy.Integer(2), sympy.Integer(-3)),
        (many_tokens(), sympy.Integer(2), sympy.Integer(-3)),
        (random_tokens(4, rng), sympy.Integer(-40), sympy.Integer(-70)),
        (random_tokens(4, rng), sympy.Integer(3), sympy.Integer(3)),
        (random_tokens(4, rng), sympy.Rational(1, 1000), sympy.Rational(-1, 1000)),
    ):
        judge(answer, tokens, p, r)
    leaves_alone(answer, NAMES, *standard_tokens(), one, one)
    said = "only these weights remove the parts along u_a, u_c and u_d, and they do not add up to 1"
    return right(f"{said}: u_b is not an average of the tokens")


EXERCISE = Exercise(
    id="hull_proof",
    title="Prove that an output is out of reach",
    order=4,
    points=1,
    difficulty=2,
    importance=3,
    minutes=10,
    source="CS224n A5 1(e)i",
    hints=(
        "Only one of the tokens contains u_a. What must the weight of that token be?",
        "Write down three equations: the parts along u_a, u_c and u_d must be 0. Start with u_a.",
        (
            "The part along u_a is the weight of x₁, so that weight is 0. Put this into the two other"
            " equations: which weights are left for x₀ and x₂?"
        ),
    ),
    check=check,
)
