"""Exercise hull_proof: why the second output cannot be u_b, whatever multiples of u_c and u_d are added to x₂."""

from __future__ import annotations

import random

import sympy
from course_exercises._tokens import Tokens, combination, numbers_at, random_tokens, several, standard_tokens, vector_answer

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.queries import kind_of, readable_expression
from kqa_core.symbolic.attention import BETA, Matrix, outside_hull, vanishes


def changed_inputs(tokens: Tokens, s: sympy.Rational, t: sympy.Rational) -> list[Matrix]:
    """The tokens after x₂ has become u_a + s·u_d + t·u_c."""
    x1, x2, x3 = tokens.inputs
    return [x1, x2 + s * tokens.u_d + t * tokens.u_c, x3]


def three_numbers(result: object) -> list[sympy.Expr]:
    """`result` as three real numbers; NotYet says what is wrong."""
    if isinstance(result, sympy.MatrixBase):
        result = list(result.flat())
    if not isinstance(result, (tuple, list)):
        expect(False, f"weights must be three numbers, as in (a1, a2, a3); yours is {kind_of(result)}")
    assert isinstance(result, (tuple, list))
    expect(len(result) == 3, f"weights must be three numbers, one for each token; you return {len(result)}")
    for entry in result:
        number = type(entry) in (int, float) or isinstance(entry, sympy.Expr)
        expect(number, f"each of the weights must be a number; one of yours is {kind_of(entry)}")
    numbers = [sympy.sympify(entry, strict=True) for entry in result]
    for entry in numbers:
        readable_expression(entry, [BETA], "weights")
    return numbers


def judge(answer: Answer, tokens: Tokens, s: sympy.Rational, t: sympy.Rational) -> None:
    """Raise NotYet unless the weights follow from u_a, c and d, and w separates u_b from all averages of the tokens.

    Along u_a, u_c and u_d the sum of αx has α₂, α₃ + tα₂ and α₁ + sα₂. All are 0 only for α = (0, 0, 0), whose sum is not 1.
    w·c ≤ max w·xᵢ for every average c, so w·u_b > max w·xᵢ proves that u_b is not an average.
    """
    inputs = changed_inputs(tokens, s, t)
    case = f"{tokens.case}, with s = {s} and t = {t}"
    weights, direction = several(answer(*tokens, s, t), ("weights", "w"))
    a1, a2, a3 = three_numbers(weights)
    parts = {"u_a": a2, "u_c": a3 + t * a2, "u_d": a1 + s * a2}
    left = [vanishes(part, BETA) for part in parts.values()]
    expect(None not in left, f"{case}: your weights cannot be evaluated; write them in a simpler form")
    values = numbers_at(sympy.Matrix([parts["u_a"], a1 + a3, parts["u_c"], parts["u_d"]])) or [0.0] * 4
    gives = combination(values, ("u_a", "u_b", "u_c", "u_d"))
    said = f"{case}: with your weights the sum of the tokens is {gives}; it must have no part along u_a, u_c or u_d"
    expect(all(left), said)
    w = vector_answer(direction, tokens.dimension, "w")
    try:
        ahead = outside_hull(w, inputs, tokens.u_b, BETA)
    except ValueError:
        expect(False, f"{case}: w cannot be evaluated; write it in a simpler form")
    said = f"{case}: w·x{'₁₂₃'[ahead or 0]} is not smaller than w·u_b, so your w does not keep that token on the other side"
    expect(ahead is None, said)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The two changes of the exercise before, no change, and changes of either sign."""
    one, zero = sympy.S.One, sympy.S.Zero
    for tokens, s, t in (
        (standard_tokens(), one, zero),
        (standard_tokens(), zero, one),
        (random_tokens(4, rng), zero, zero),
        (random_tokens(5, rng), sympy.Integer(2), sympy.Integer(-3)),
    ):
        judge(answer, tokens, s, t)
    return right("the weights that would be needed do not add up to 1, and along w u_b lies beyond every average of the tokens")


EXERCISE = Exercise(
    id="hull_proof",
    title="What no sum of tokens can reach",
    order=3,
    points=1,
    difficulty=3,
    importance=3,
    minutes=15,
    source="CS224n A5 1(e)i",
    hints=(
        "u_b is one direction alone. Which token brings something along u_a into the average, and what must its weight be then?",
        "Compare the parts along u_a, u_c and u_d, one equation each, starting with u_a. For w, try a sum of some u with signs: "
        "w·x is easy to work out, and it must be smaller for each token than for u_b.",
        "Start from w = u_b: it ties with two tokens, each of which also has a part along another u. Lower w along those two,"
        " and then look at w·x₂: if s or t is negative, w must be lowered along one more direction, by enough.",
    ),
    check=check,
)
