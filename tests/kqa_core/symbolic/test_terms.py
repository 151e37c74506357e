"""Terms: what cancels does cancel, in decimals and over fraction lines too,
and what does not cancel is kept.
"""

import pytest
import sympy as sp

from kqa_core.symbolic.attention import BETA, image, limit_gaps, product_of
from kqa_core.symbolic.terms import MAX_TERMS, difference, over_one_line, squares_reduced, terms_of

E = sp.exp(BETA)


def gap(left, right):
    gaps = limit_gaps([terms_of(right), terms_of(left)], BETA)
    return None if gaps is None else gaps[1] - gaps[0]


def test_fractions_cancel_over_a_common_line():
    fractions = BETA * E / (BETA + 3) + 3 * E / (BETA + 3) - E
    assert over_one_line(fractions) == 0
    assert over_one_line(fractions + 7 / (BETA + 3)) == 7 / (BETA + 3)
    assert gap(sp.factor(E + 7 / (BETA + 3)), E) == 0  # seven, more and more slowly, beside an exponential


def test_what_has_no_fractions_or_too_many_is_left_alone():
    many = sp.Add(*(1 / (BETA + k) for k in range(1, 30)))
    assert over_one_line(BETA + E) == BETA + E
    assert over_one_line(many) == many
    assert len(many.args) ** 2 > MAX_TERMS


def test_squares_are_put_in_where_they_cancel():
    assert squares_reduced(BETA * sp.cosh(BETA) ** 2 - BETA * sp.sinh(BETA) ** 2) == BETA
    assert squares_reduced(sp.cos(BETA) ** 2 + sp.sin(BETA) ** 2) == 1
    assert squares_reduced(sp.cosh(BETA)) == sp.cosh(BETA)


def test_rounding_makes_no_decimal_number_grow():
    """A third of three, less one, is 0 and not −1e-16:
    else the lead of √(β² + 1) over β would not die out.
    """
    third = sp.Float(1) / 3
    nearly = 0.9999999999999998 * BETA
    assert difference(terms_of(sp.sqrt(BETA**2 + 1)), terms_of(nearly)) == sp.sqrt(BETA**2 + 1) - BETA
    assert gap(third * sp.sqrt(BETA**2 + 1), third * BETA) == 0
    assert gap(sp.sqrt(BETA**2 + 1), nearly) == 0


@pytest.mark.parametrize("factor", [0.999999, 1 + 1e-9, 0.7071067811865476])
def test_a_decimal_number_that_is_another_stays_another(factor):
    assert abs(gap(factor * sp.sqrt(BETA**2 + 1), BETA)) == float("inf")


def test_what_should_cancel_in_a_product_leaves_nothing_behind():
    matrix = sp.Matrix([[0.1 * E, 0.2 * E, -0.3 * E]])
    ones = sp.ones(3, 1)
    assert (matrix * ones)[0] != 0  # 2.8e-17·exp(β), which is huge for large β
    assert product_of(matrix, ones) == sp.zeros(1, 1)
    assert image(matrix, ones) == [{}]


def test_keys_that_are_left_behind_may_swing_against_each_other():
    swinging = sp.sqrt(BETA**2 + 1) + sp.sin(BETA) - BETA  # has no limit
    losers = [-BETA, swinging - BETA]
    logits = [terms_of(logit) for logit in (*losers, sp.S.Zero, 1 / BETA)]
    infinity = -sp.oo
    for first in range(4):
        assert [gap - max(limit_gaps(logits, BETA, first)) for gap in limit_gaps(logits, BETA, first)] == [
            infinity,
            infinity,
            0,
            0,
        ]
