"""Exercise average_two_rate: how fast two queries reach the average."""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import sympy

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect
from kqa_core.check.helpers.read_values import told
from kqa_core.check.partial_credit import by_parts
from kqa_core.exercise_helpers.queries import Renamed, kind_of, readable_expression
from kqa_core.symbolic.attention import BETA, limit_ratio, vanishes
from kqa_core.symbolic.limits import value_at

PARTS = {"the first rate": 1, "the second rate": 1}
OTHERS = {"the first rate": sympy.S.Zero, "the second rate": -BETA}  # the logits of the other keys
# of the ratio of two leading orders; limits are accurate to 1e-9, decimals in an answer to 1e-15
CLOSE = 1e-8


@functools.cache
def shortfall(n: int, others: Any) -> Any:
    """½ − α_a if logits a and b are beta and each of the n − 2 others is `others`: exact, as one fraction."""
    weight = sympy.exp(BETA) / (2 * sympy.exp(BETA) + (n - 2) * sympy.exp(others))
    return sympy.together(sympy.Rational(1, 2) - weight)


def expression_of(result: object, part: str) -> Any:
    """One of the two expressions in beta of `result`; NotYet says what is wrong."""
    if isinstance(result, sympy.MatrixBase):
        result = list(result.flat())
    if not isinstance(result, (tuple, list)):
        expect(False, f"return two expressions, one for each query; yours is {kind_of(result)}")
    assert isinstance(result, (tuple, list))
    expect(len(result) == 2, f"return two expressions, one for each query; you return {len(result)}")
    entry = result[list(PARTS).index(part)]
    number = type(entry) in (int, float) or isinstance(entry, sympy.Expr)
    expect(number, f"{part} must be an expression in beta; yours is {kind_of(entry)}")
    expression = sympy.sympify(entry, strict=True)
    readable_expression(expression, [BETA], part)
    return expression


def one_exponential(rate: Any) -> bool | None:
    """Whether `rate` is a constant times an exponential:
    then f(β)·f(β + 2) = f(β + 1)² for all β. None: not decided.
    """
    here, next_one, after = (rate.subs(BETA, BETA + step) for step in range(3))
    return vanishes(here * after - next_one**2, BETA, scale=next_one**2)


def rate_agrees(answer: Answer, n: int, part: str) -> None:
    """Raise NotYet unless one of the answer's rates for n keys is the leading order of ½
    − α_a, as one exponential.
    """
    rate = expression_of(answer(sympy.Integer(n), BETA), part)
    ratio = limit_ratio(rate, shortfall(n, OTHERS[part]), BETA)
    start = f"for n = {n} your {part.removeprefix('the ')}"
    if ratio is None or abs(ratio - 1) > CLOSE:
        base = rounded_base(rate, shortfall(n, OTHERS[part]))
        more = f"with the power of e close to it, it would be right. {POSSIBLE}it is rounded; sp.exp is exact"
        expect(base is None, f"{start} has a power of the decimal number {base}; {more}")
    more = "; it has a floor, as // gives" if rate.has(sympy.floor) else "; write it in a simpler form"
    expect(ratio is not None, f"{start} cannot be compared with ½ − α_a{more}")
    assert ratio is not None
    if abs(ratio - 1) > CLOSE:
        expect(rate != 0, f"{start} is 0, but ½ − α_a is positive{floored(answer, part)}")
        theirs, wanted = (value_at(each, BETA, 5.0) for each in (rate, shortfall(n, OTHERS[part])))
        at_five = "" if theirs is None else f" (at beta = 5 they are {theirs:.4g} and {wanted:.4g})"
        expect(ratio != 0, f"{start} shrinks faster than ½ − α_a does{at_five}")
        slowly = "shrinks more slowly than ½ − α_a does, if it shrinks at all"
        expect(ratio != float("inf"), f"{start} {slowly}{at_five}")
        expect(ratio > 0, f"{start} is negative; ½ − α_a is positive{at_five}")
        one, yours = told(1.0, ratio)
        said = f"shrinks as fast as ½ − α_a, but the ratio of the two tends to {yours} and not to {one}"
        expect(False, f"{start} {said}{at_five}")
    simple = one_exponential(rate)
    expect(simple is not None, f"{start} cannot be compared with an exponential; write it in a simpler form")
    said = "its ratio to ½ − α_a tends to 1, as it should, but it is not a constant times one exponential"
    more = f"{POSSIBLE}a term is left that is small for large beta"
    expect(simple is True, f"{start} is not yet a leading order: {said}. {more}")


def rounded_base(rate: Any, wanted: Any) -> Any:
    """A decimal number close to a power of e that is raised to a power with beta, if the rate is as `wanted`
    with that power of e; else None.
    """
    for power in rate.atoms(sympy.Pow):
        if power.base.is_Float and power.exp.has(BETA) and power.base > 0:
            exponent = math.log(power.base)
            exact = rate.subs(power, sympy.exp(round(exponent) * power.exp))
            ratio = limit_ratio(exact, wanted, BETA) if abs(exponent - round(exponent)) < 0.01 else None
            if ratio is not None and abs(ratio - 1) <= CLOSE:
                return f"{float(power.base):.6g}"
    return None


def floored(answer: Answer, part: str) -> str:
    """The possible cause, as //, if the rate is right where n − 2 is a multiple of 4; else ""."""
    for n in (6, 10):
        rate = expression_of(answer(sympy.Integer(n), BETA), part)
        ratio = limit_ratio(rate, shortfall(n, OTHERS[part]), BETA)
        if ratio is None or abs(ratio - 1) > CLOSE:
            return ""
    return f", and for n = 6 and n = 10 yours is right. {POSSIBLE}(n − 2)/4 is rounded down, as // does"


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three keys, so that there is one other key, five keys, twelve and five thousand; another symbol."""

    def part(name: str) -> None:
        for n in (3, 5, 12, 5000):
            rate_agrees(answer, n, name)
        rate_agrees(Renamed(answer, BETA), 4, name)

    return by_parts(PARTS, part, "both are the leading orders of ½ − α_a for large beta")


EXERCISE = Exercise(
    id="average_two_rate",
    title="How fast two queries reach the average",
    order=15,
    points=2,
    parts=PARTS,
    difficulty=3,
    importance=3,
    minutes=15,
    source="this course",
    hints=(
        (
            "Write α_a as a fraction first: e to its logit, divided by the sum of e to all n logits. What is"
            " ½ minus that fraction?"
        ),
        (
            "Bring ½ − α_a to one fraction. In the numerator only the other keys remain. In the denominator,"
            " for large beta, only the terms that grow fastest matter."
        ),
        (
            "With m = n − 2 other keys of logit x, ½ − α_a = m·exp(x) / (2·(2·exp(beta) + m·exp(x))). Put in"
            " each x, and drop from the denominator what is small beside 2·exp(beta). A constant times one"
            " exponential remains."
        ),
    ),
    check=check,
    extra=True,
)
