"""Exercise scaling_variance: derive the variance of a dot product with d random components."""

from __future__ import annotations

import random
from typing import Any

import sympy

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.queries import kind_of, readable_expression

D, S, M = (
    sympy.Symbol("d", integer=True, positive=True),
    sympy.Symbol("s", positive=True),
    sympy.Symbol("m", positive=True),
)
SYMBOLS = (D, S, M)
MAX_NODES = 400
NAMES = ("the variance", "the divisor")


def pair(result: object) -> tuple[Any, Any]:
    """`result` as two expressions in d, s and m. Raises NotYet unless it is one."""
    if isinstance(result, (tuple, list, sympy.Tuple)) and len(result) != 2:
        raise NotYet(f"return two expressions, (variance, divisor); you return {len(result)}")
    if not isinstance(result, (tuple, list, sympy.Tuple)):
        raise NotYet(f"return two expressions, (variance, divisor); yours is {kind_of(result)}")
    found = []
    for name, entry in zip(NAMES, result, strict=True):
        if type(entry) not in (int, float) and not isinstance(entry, sympy.Expr):
            raise NotYet(f"{name} must be an expression in d, s and m; yours is {kind_of(entry)}")
        expression = sympy.sympify(entry, strict=True)
        readable_expression(expression, SYMBOLS, name)
        expect(
            sum(1 for _ in sympy.preorder_traversal(expression)) <= MAX_NODES,
            f"{name} is too long: write it in a simpler form",
        )
        found.append(expression)
    return found[0], found[1]


def value(expression: Any, name: str, d: int, s: Any, m: Any) -> float:
    """The expression's value at one point. Raises NotYet if it has none."""
    try:
        number = complex(expression.evalf(30, subs={D: d, S: s, M: m}, maxn=80))
    except (TypeError, ValueError, ArithmeticError, AttributeError, NotImplementedError, RecursionError):
        raise NotYet(
            f"{name} cannot be evaluated at d = {d}, s = {s}, m = {m}: write it in a simpler form"
        ) from None
    real = abs(number.imag) <= 1e-12 * max(1.0, abs(number.real)) and abs(number.real) < 1e300
    expect(bool(real), f"{name} is no finite real number at d = {d}, s = {s}, m = {m}")
    return 0.0 if abs(number) < 1e-60 else number.real  # rounding of terms that cancel


def near(found: float, wanted: float) -> bool:
    """Equal to ten digits."""
    return abs(found - wanted) <= 1e-10 * abs(wanted)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Cases that you can compute in your head; and the divisor makes the variance 1."""
    variance, divisor = pair(answer(*SYMBOLS))
    cases = (
        (1, 1, 1, 2),
        (4, 1, 1, 8),
        (1, 3, 1, 10),
        (16, 2, 1, 80),
        (1, 1, 2, 5),
        (3, 2, 1, 15),
        (2, 1, 3, 20),
    )
    for d, s, m, wanted in cases:
        found = value(variance, NAMES[0], d, sympy.Integer(s), sympy.Integer(m))
        expect(
            near(found, wanted),
            "for d = {}, s = {} and m = {} the variance is {}; yours is {}".format(
                d, s, m, *told(wanted, found)
            ),
        )
    s, m = sympy.Rational(rng.randint(11, 29), 10), sympy.Rational(rng.randint(11, 29), 10)
    by, spread = value(divisor, NAMES[1], 5, s, m), value(variance, NAMES[0], 5, s, m)
    case = f"for d = 5, s = {float(s)} and m = {float(m)}"
    expect(by > 0, f"{case} your divisor is {by:.4g}; it must be positive, or it turns the sign of a score")
    expect(
        near(by**2, spread),
        f"{case} the variance is {spread:.4g} and your divisor {by:.4g}. Dividing by a number divides the"
        " variance by its square, so the quotient has variance {} and not {}".format(
            *told(spread / by**2, 1.0)
        ),
    )
    return right()


EXERCISE = Exercise(
    id="scaling_variance",
    title="The variance of a score",
    order=2,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Vaswani et al. 2017, footnote 4",
    hints=(
        (
            "The dot product is a sum of d independent terms. What happens to variances when independent"
            " terms are added?"
        ),
        (
            "Look at one term, x·y with x from the query and y from the key. Var(xy) = E[x²]·E[y²] −"
            " (E[x]·E[y])², and E[x] = 0."
        ),
        (
            "E[x²] = 1 for a component of the query. For a component of the key, E[y²] = s² + m². Multiply"
            " the two, and multiply by d. For the second expression: dividing by c divides the variance"
            " by c²."
        ),
    ),
    check=check,
)
