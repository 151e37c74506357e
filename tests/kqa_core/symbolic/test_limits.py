"""Limits as β → ∞: known ones, hard ones, and those that must be left undecided.
Every expected value is a textbook limit.
"""

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from kqa_core.symbolic.attention import BETA as b
from kqa_core.symbolic.limits import MAX_NODES, for_large, limit_at_infinity, value_at
from kqa_core.symbolic.numeric_limits import BUDGET, Evaluator, OutOfBudget

UNBOUNDED = [
    *(
        b,
        b**2,
        sp.exp(b),
        sp.log(1 + b),
        sp.sqrt(b),
        b**b,
        sp.sinh(b),
        sp.log(sp.log(b + 3)),
        sp.log(sp.log(sp.log(b + 20))),
    ),
    *(b**2 - b, sp.exp(b) - b**9, sp.sqrt(b) - 100 * sp.log(b), sp.log(b) - sp.log(sp.log(b)), b + sp.sin(b)),
    *(
        b ** sp.Rational(1, 3) - b ** sp.Rational(1, 4),
        sp.exp(sp.exp(b)) - sp.exp(b),
        (b + 1) ** 40 - b**40,
        sp.gamma(b) - sp.exp(b),
    ),
    *(b + sp.sin(b) + sp.cos(2 * b), b * (2 + sp.sin(b)), b + sp.sin(b) + sp.cos(2 * b) - sp.sin(3 * b)),
    *(sp.exp(b - sp.sqrt(b)), sp.Max(3, b) - b / 2, sp.floor(b), b / 10**30, b - 10**6 * sp.sqrt(b)),
]
FINITE = [
    (sp.tanh(b), 1),
    (sp.atan(b), math.pi / 2),
    (1000 - 1 / b, 1000),
    (5 - 1 / sp.log(sp.log(b + 5)), 5),
    (sp.sin(b) / b, 0),
    (sp.log(1 + sp.exp(b)) - b, 0),
    (sp.sqrt(b**2 + b) - b, 0.5),  # b·(√(1 + 1/b) − 1) → 1/2
    ((1 + 1 / b) ** b, math.e),
    (b * (sp.exp(1 / b) - 1), 1),
    (sp.cosh(b) - sp.exp(b) / 2 + 7, 7),
    (sp.exp(b) / (2 * sp.exp(b) + 3), 0.5),
    (sp.log(b + 1) - sp.log(b), 0),
]
UNDECIDED = [
    sp.sin(b),
    b * sp.sin(b),
    b * sp.sin(b) ** 2,
    b * (1 + sp.cos(b)),
    b * (sp.sqrt(2) + sp.sin(b) + sp.cos(b)),
    sp.sin(sp.pi * b),
    (-1) ** b,
    sp.sqrt(-b),
    sp.I * b,
    sp.Piecewise((1, b < 3), (b, True)),
]


@pytest.mark.parametrize("expression", UNBOUNDED, ids=str)
def test_what_grows_without_bound_is_told_however_slowly_it_grows(expression):
    assert limit_at_infinity(expression, b) == mp.inf
    assert limit_at_infinity(-expression, b) == -mp.inf


@pytest.mark.parametrize(("expression", "limit"), FINITE, ids=str)
def test_a_finite_limit_is_good_to_nine_digits(expression, limit):
    assert abs(limit_at_infinity(expression, b) - limit) <= 1e-9


@pytest.mark.parametrize("expression", UNDECIDED, ids=str)
def test_what_oscillates_or_is_not_real_is_left_undecided(expression):
    assert limit_at_infinity(expression, b) is None


@pytest.mark.parametrize(
    "junk",
    [
        None,
        "beta",
        3,
        sp.true,
        sp.Symbol("x"),
        sp.Symbol("beta"),
        sp.nan,
        sp.zoo,
        sp.Matrix([b]),
        sp.Function("f")(b),
    ],
)
def test_junk_has_no_limit_and_raises_nothing(junk):
    assert limit_at_infinity(junk, b) is None


def test_a_huge_expression_is_not_begun():
    assert limit_at_infinity(sp.Add(*(b**i for i in range(MAX_NODES))), b) is None


def test_towers_of_exponentials_end():
    tower = b
    for _ in range(30):
        tower = sp.exp(tower)
    # ∞ − ∞, and the tower cannot be evaluated anywhere
    assert limit_at_infinity(tower - sp.exp(b), b) is None
    assert limit_at_infinity(tower + sp.exp(b), b) == mp.inf


@pytest.mark.parametrize(
    ("cases", "last"),
    [
        (sp.Piecewise((1, b < 3), (b, True)), b),
        (sp.Piecewise((b, b > 3), (1, True)) - 2, b - 2),
        (sp.Piecewise((1, b <= 3), (b, b >= 3)), b),
        (sp.Piecewise((1, sp.sin(b) > 0), (b, True)), None),
    ],
)
def test_of_several_cases_the_one_for_large_beta_counts(cases, last):
    assert for_large(cases, b) == (cases if last is None else last)


def test_work_is_counted():
    evaluator = Evaluator(b)
    evaluator.at(sp.exp(b) + 1, mp.one, 1_000)
    assert 0 < evaluator.spent < 50
    evaluator.spent = BUDGET
    with pytest.raises(OutOfBudget):
        evaluator.at(sp.exp(b) + 1, mp.one, 1_000)


rationals = st.fractions(min_value=-5, max_value=5, max_denominator=6).map(
    lambda f: sp.Rational(f.numerator, f.denominator)
)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(rationals, rationals), min_size=1, max_size=5))
def test_a_sum_of_powers_goes_where_its_largest_power_goes(terms):
    total = sp.Add(*(c * b**p for c, p in terms))
    powers = {}
    for c, p in terms:
        powers[p] = powers.get(p, 0) + c
    leading = max((p for p, c in powers.items() if c != 0), default=None)
    found = limit_at_infinity(total, b)
    if leading is None or leading < 0:
        assert abs(found) <= 1e-9
    elif leading == 0:
        assert abs(found - mp.mpf(int(powers[leading].p)) / int(powers[leading].q)) <= 1e-9
    else:
        assert found == (mp.inf if powers[leading] > 0 else -mp.inf)


def test_a_value_is_exact_to_ten_digits_or_none():
    x = sp.Symbol("x")
    assert value_at((x + 10**30) - sp.Integer(10) ** 30 + sp.sqrt(2), x, 2.0) == pytest.approx(
        2 + 2**0.5, rel=1e-12
    )
    assert value_at(1 / (x - 1), x, 1.0) is None
    assert value_at(sp.log(x), x, -1.0) is None
    assert value_at(b, x, 1.0) is None
