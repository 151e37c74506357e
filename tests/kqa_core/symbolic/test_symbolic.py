"""Attention in sympy: weights, frames, the limits of weights, and terms that cancel."""

import math
import random

import pytest
import sympy as sp

from kqa_core.symbolic.attention import (
    BETA,
    attention_weights,
    image,
    limit_gaps,
    limit_ratio,
    limit_weights,
    orthonormal_frame,
    product_of,
    scores,
    standard_basis,
)
from kqa_core.symbolic.terms import MAX_TERMS, difference, over_one_line, squares_reduced, terms_of

x, y = sp.symbols("x y", real=True)


def test_the_weights_are_the_softmax_of_the_logits():
    weights = attention_weights(standard_basis(2), sp.Matrix([x, y]))
    assert weights[0] == sp.exp(x) / (sp.exp(x) + sp.exp(y))
    assert sp.simplify(sum(weights)) == 1


@pytest.mark.parametrize(("count", "dimension"), [(1, 1), (2, 2), (3, 3), (2, 5), (5, 5), (12, 12)])
def test_a_frame_is_orthonormal_exactly_and_not_the_standard_basis(count, dimension):
    for seed in range(5):
        frame = orthonormal_frame(count, dimension, random.Random(seed))
        together = sp.Matrix.hstack(*frame)
        assert together.shape == (dimension, count)
        assert together.T * together == sp.eye(count)
        assert all(entry.is_Rational for entry in together)
        if dimension > 2:
            assert all(sum(entry != 0 for entry in key) > 1 for key in frame)


def test_more_orthonormal_vectors_than_dimensions_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        orthonormal_frame(4, 3, random.Random(0))


@pytest.mark.parametrize(
    "scale", [BETA, BETA**2, sp.exp(BETA), sp.log(1 + BETA), sp.log(sp.log(BETA + 3)), 0.3 * BETA]
)
def test_two_keys_share_the_weight_on_any_scale_that_grows(scale):
    for seed in range(3):
        keys = orthonormal_frame(4, 5, random.Random(seed))
        assert limit_weights(scores(keys, scale * (keys[0] + keys[2])), BETA) == (0.5, 0.0, 0.5, 0.0)


def test_a_fixed_lead_is_a_fixed_ratio():
    weights = limit_weights([terms_of(BETA + 1), terms_of(BETA), terms_of(sp.log(BETA))], BETA)
    assert weights == pytest.approx((1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0))


def test_a_large_fixed_gap_is_told_from_a_growing_one():
    fixed, growing = (
        limit_gaps([terms_of(gap), terms_of(sp.Integer(0))], BETA) for gap in (sp.Integer(1000), sp.log(BETA))
    )
    assert fixed == (0, -1000)
    assert growing == (0, -sp.oo)


def test_the_leader_is_found_wherever_it_stands():
    logits = [terms_of(e) for e in (BETA, sp.Integer(3), BETA**2, BETA**2 - BETA, BETA**2)]
    assert limit_weights(logits, BETA) == (0, 0, 0.5, 0, 0.5)


def test_weights_that_swing_have_no_limit():
    assert limit_weights([terms_of(sp.sin(BETA)), terms_of(sp.Integer(0))], BETA) is None


def test_equal_terms_cancel_however_they_are_written():
    assert difference(terms_of((BETA + 1) ** 2), terms_of(BETA**2 + 2 * BETA)) == 1
    assert difference(terms_of(0.1 * BETA + 0.2 * BETA), terms_of(0.3 * BETA)) == 0
    assert difference(terms_of(sp.exp(BETA + 1)), terms_of(sp.E * sp.exp(BETA))) == 0


def test_a_power_of_a_sum_too_large_to_multiply_out_is_left_as_it_is():
    power = (BETA + sp.sqrt(BETA) + sp.log(BETA) + 1) ** 500
    assert limit_weights([terms_of(power), terms_of(BETA)], BETA) == (1, 0)


def test_a_leading_order_is_a_ratio_that_tends_to_one():
    exact = sp.Rational(1, 2) - sp.exp(BETA) / (2 * sp.exp(BETA) + 5)
    assert limit_ratio(sp.Rational(5, 4) * sp.exp(-BETA), exact, BETA) == pytest.approx(1, abs=1e-9)
    assert limit_ratio(exact, exact, BETA) == pytest.approx(1, abs=1e-9)
    assert limit_ratio(sp.exp(-BETA), exact, BETA) == pytest.approx(4 / 5, abs=1e-9)
    assert limit_ratio(sp.exp(-2 * BETA), exact, BETA) == 0


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
