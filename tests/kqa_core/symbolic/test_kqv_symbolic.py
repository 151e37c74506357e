"""Self-attention with matrices in sympy: logits as terms,
who takes all, what is identically 0, what lies outside a hull.
"""

import random

import pytest
import sympy as sp
from mpmath import mp

from kqa_core.symbolic.attention import (
    BETA,
    dies_out,
    orthonormal_frame,
    outside_hull,
    projected_scores,
    self_attention,
    self_attention_weights,
    takes_all,
    vanishes,
)
from kqa_core.symbolic.terms import difference, terms_of


def frame(dimension, seed):
    u_a, u_b, u_c, u_d = (BETA * e for e in orthonormal_frame(4, dimension, random.Random(seed)))
    return [u_d + u_b, u_a, u_c + u_b], (u_a, u_b, u_c, u_d)


@pytest.mark.parametrize("dimension", [4, 5, 6])
def test_projected_logits_are_the_dot_products_of_keys_and_queries(dimension):
    inputs, _ = frame(dimension, dimension)
    rng = random.Random(1)
    parts = [BETA, 1 / (BETA + 1), sp.exp(-BETA), sp.sqrt(BETA + 2), sp.Integer(3)]
    Q, K = (sp.Matrix(2, dimension, lambda *_: rng.randint(-3, 3) * rng.choice(parts)) for _ in range(2))
    for row in range(3):
        for key, terms in zip(inputs, projected_scores(inputs, Q, K, row), strict=True):
            exact = (K * key).dot(Q * inputs[row])
            assert abs((difference(terms, {}) - exact).subs(BETA, sp.Rational(7, 5)).evalf(30)) < 1e-20


def test_the_weights_and_outputs_are_those_of_the_equation():
    inputs, (_, u_b, u_c, u_d) = frame(4, 2)
    Q, K, V = u_c * u_d.T / BETA**2, sp.eye(4), u_b * u_c.T / BETA**2
    weights = self_attention_weights(inputs, Q, K)
    third = sp.exp(BETA**2)  # query 0 is u_c, which only key 2 holds
    assert sp.simplify(weights[0, :] - sp.Matrix([[1, 1, third]]) / (2 + third)) == sp.zeros(1, 3)
    assert sp.simplify(self_attention(inputs, Q, K, V)[0] - u_b * third / (2 + third)) == sp.zeros(4, 1)


def test_only_the_margins_of_the_winner_count():
    logits = [terms_of(e) for e in (sp.sin(BETA), sp.Integer(0), BETA)]
    assert takes_all(logits, 2, BETA) is True
    assert takes_all(logits, 0, BETA) is False


@pytest.mark.parametrize(
    ("margin", "wins"),
    [
        *(
            (sp.log(1 + BETA), True),
            (BETA / 10**6, True),
            (sp.exp(BETA), True),
            (sp.Integer(500), False),
            (sp.tanh(BETA), False),
        ),
        *(
            (-BETA, False),
            (sp.S.Zero, False),
            (sp.sin(BETA), None),
            (BETA * (sp.cosh(BETA) ** 2 - sp.sinh(BETA) ** 2), True),
        ),
    ],
    ids=str,
)
def test_a_margin_must_grow_without_bound(margin, wins):
    assert takes_all([terms_of(margin), terms_of(sp.S.Zero)], 0, BETA) is wins


def test_fractions_cancel_whatever_stands_before_their_lines():
    left, right = (terms_of(sp.exp(BETA) / (n * BETA**2 + n * BETA) * n) for n in (7, 45))
    assert difference(left, right) == 0


def test_an_output_may_arrive_by_values_that_are_equal():
    """Two values share the weight for good; what counts is how far they are from the limit."""
    logits = [terms_of(BETA), terms_of(BETA), terms_of(sp.S.Zero)]
    near, far, much = sp.zeros(2, 1), sp.Matrix([1, 0]), sp.Matrix([BETA**9, 0])
    assert dies_out(logits, 0, [near, near, much], BETA) is True  # exp(−β)·β⁹ → 0
    assert dies_out(logits, 0, [near, far, near], BETA) is False
    assert dies_out(logits, 0, [far, -far, near], BETA) is True  # they cancel


IDENTITIES = [
    *(
        sp.sinh(BETA) ** 2 - sp.cosh(BETA) ** 2 + 1,
        sp.sin(BETA) ** 2 + sp.cos(BETA) ** 2 - 1,
        sp.log(BETA**2) - 2 * sp.log(BETA),
    ),
    *(
        (BETA + 1) ** 30 - (BETA + 1) ** 29 * (BETA + 1),
        sp.sqrt(BETA**2 + 2 * BETA + 1) - BETA - 1,
        0.1 * BETA + 0.2 * BETA - 0.3 * BETA,
    ),
]
NOT_ZERO = [
    sp.exp(-BETA),
    1 / BETA**9,
    sp.Max(0, BETA - 500),
    BETA / 10**30,
    sp.tanh(BETA) - 1,
    sp.Rational(1, 10**40),
    1e-3 * BETA,
]


@pytest.mark.parametrize("expression", IDENTITIES, ids=str)
def test_an_identity_is_seen_in_any_form(expression):
    assert vanishes(expression, BETA) is True


@pytest.mark.parametrize("expression", NOT_ZERO, ids=str)
def test_what_is_small_is_not_zero(expression):
    assert vanishes(expression, BETA) is False


@pytest.mark.parametrize(
    "expression",
    [sp.Piecewise((0, BETA < 3), (1, True)), sp.Symbol("x"), sp.nan, sp.Function("f")(BETA)],
    ids=str,
)
def test_what_cannot_be_evaluated_is_left_undecided(expression):
    assert vanishes(expression, BETA) is None


@pytest.mark.parametrize("dimension", [4, 5, 6])
def test_a_direction_proves_a_point_outside_the_hull_or_names_the_point_that_spoils_it(dimension):
    inputs, (u_a, u_b, u_c, u_d) = frame(dimension, 9)
    assert outside_hull(u_b - u_c - u_d, inputs, u_b, BETA) is None
    assert outside_hull(u_b - u_c, inputs, u_b, BETA) == 0  # a tie with x₁
    assert outside_hull(u_b - u_d, inputs, u_b, BETA) == 2
    assert outside_hull(u_b - u_c - u_d + 2 * u_a, inputs, u_b, BETA) == 1
    middle = (inputs[0] + inputs[2]) / 2
    assert all(
        outside_hull(w, inputs, middle, BETA) is not None for w in (u_a, u_b, u_c, -u_d, u_b - u_c - u_d)
    )


@pytest.mark.slow
def test_the_logits_of_numbers_in_high_precision_decide_the_same():
    """The reference pair at β = 40 by plain arithmetic:
    the wrong keys have less than 1e-600 of the weight.
    """
    inputs, (u_a, _, u_c, u_d) = frame(5, 4)
    Q, K = (u_c * u_d.T + u_d * u_a.T) / BETA**2, (u_d * u_d.T + u_c * u_c.T) / BETA**2
    for row, winner in ((0, 2), (1, 0)):
        logits = [(K * x).dot(Q * inputs[row]).subs(BETA, 40).evalf(50) for x in inputs]
        with mp.workdps(50):
            assert all(
                mp.exp(mp.mpf(str(logit - logits[winner]))) < 1e-300
                for i, logit in enumerate(logits)
                if i != winner
            )
        assert takes_all(projected_scores(inputs, Q, K, row), winner, BETA) is True
