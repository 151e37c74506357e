"""Exercise weight_law: the distribution of the weight on v_a when the length of key a is random.

The distribution is compared by its values at points (w, beta) at which it is neither 0 nor 1. The values of
the visible check were computed once (a test computes them again, from the density). An expression that agrees
there and at the hidden check's random points is right.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import sympy
from course_exercises._gaussian import Values, read_expression
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA

W = sympy.Symbol("w", positive=True)  # what the exercise passes as `w`
# of two probabilities; decimals in an answer are accurate to 1e-15, and a wrong formula differs by far more
CLOSE = 1e-9
ROUNDED = 1e-3  # what numbers of three digits in a right formula make of it
KNOWN = (  # w, beta, the probability
    ("9/10", "3", "0.84984797798322"),
    ("1/4", "2", "0.21862770835583"),
    ("3/5", "1/2", "0.87427374813338"),
    ("1/50", "5", "0.1354977307196"),
    ("1/5000", "20", "0.27350641039085"),
    ("51/100", "1/20", "0.87108221983798"),
    ("1/1000000000", "500", "0.47662968128336"),
    ("99999/100000", "15", "0.8611383761937"),
)
SLIPS = (  # what common mistakes give at the first of these points (a test computes them), and how to say so
    (
        "0.928514",
        (
            "½ is used as the standard deviation of epsilon and not as its variance, or a √2 is left out"
            " between erf and the normal distribution"
        ),
    ),
    (
        "0.76804",
        (
            "both keys vary, where key b has the fixed logit beta, or the standard deviation √½ of epsilon"
            " is left out"
        ),
    ),
    ("0.352555", "logit a is compared with 0, and not with the logit of key b"),
    (
        "0.664313",
        ("the difference of the logits is compared with w, and not with the number at which the weight is w"),
    ),
    ("0.699696", "this is erf alone, see the formula under 'The tool'"),
)


def same_law(answer: Answer, cases: Iterable[tuple[Any, Any, Any]]) -> None:
    """Raise NotYet unless the answer's expression has the wanted values.
    A case is (w, beta, wanted): two rationals, an mpf.
    """
    expression = read_expression(answer, answer(W, BETA), [W, BETA], "your probability")
    values = Values(expression)
    other_tail = rounded = True
    wrong = cause = ""
    points = list(cases)
    for w, beta, wanted in points:
        case = f"at w = {float(w):.10g} and beta = {float(beta):.4g}"
        found = values.at({W: w, BETA: beta})
        expect(
            found is not None,
            f"{case} your expression has no value, or is too long: write it in a simpler form",
        )
        expect(bool(abs(mp.im(found)) <= CLOSE), f"{case} your probability is not real")
        found = mp.re(found)
        other_tail = other_tail and bool(abs(1 - found - wanted) <= CLOSE)
        rounded = rounded and bool(abs(found - wanted) <= ROUNDED)
        if not wrong and abs(found - wanted) > CLOSE:
            should, yours = told(float(wanted), float(found), 6)
            wrong = f"{case} your probability is {yours}; it should be {should}"
            cause = "".join(f". {POSSIBLE}{said}" for value, said in SLIPS if value == mp.nstr(found, 6))
    if wrong and other_tail:
        above = (
            f"{POSSIBLE}it is the probability of a weight above w (sympy.stats.P may lose a sign: use cdf)"
        )
        expect(False, f"{wrong}. Yours is 1 minus that at all {len(points)} points that were tried. {above}")
    near = f"at all {len(points)} points that were tried yours is within {ROUNDED:g} of the right value"
    expect(not (wrong and rounded), f"{wrong}. It is close, but not exact: {near}")
    expect(not wrong, wrong + cause)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A weight near 1, two near 0, two between and ½, for queries of several lengths; other symbols."""
    known = [(sympy.Rational(w), sympy.Rational(beta), mp.mpf(wanted)) for w, beta, wanted in KNOWN]
    same_law(answer, [*known, (sympy.S.Half, sympy.S.One, mp.mpf("0.5"))])
    same_law(Renamed(answer, W, BETA), known[:2])
    return right("your expression has the right value at every point that was tried")


EXERCISE = Exercise(
    id="weight_law",
    title="The distribution of a weight",
    order=4,
    points=3,
    difficulty=3,
    importance=4,
    minutes=25,
    source="this course, after CS224n A5 1(c)ii",
    hints=(
        (
            "Write the weight on v_a as a function of epsilon first. It depends only on the difference of the"
            " two logits."
        ),
        (
            "The weight grows with epsilon, so it is at most w exactly where epsilon is at most some number."
            " Solve for that number, and find the probability that a normal variable is below it."
        ),
        (
            "The difference of the logits is beta times (epsilon − 1), and the weight is at most w where that"
            " difference is at most log(w/(1 − w)). epsilon has mean 1 and variance 1/2. What are mean and"
            " standard deviation of the difference? (In sympy.stats use cdf, not P: P loses a sign here.)"
        ),
    ),
    check=check,
)
