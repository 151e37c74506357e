"""The playground and the signature figure of notebook 03."""

import re

import numpy as np
import pytest
import sympy as sp

from kqa_core.errors import UserError
from kqa_core.show.figures.nb03_playground import PRESETS, logits_and_weights, playground
from kqa_core.show.figures.nb03_reach import PLANE, hull_figure, outputs_with, plain_output, reach_figure
from kqa_core.symbolic.attention import BETA, self_attention, standard_basis

U_A, U_B, U_C, U_D = (BETA * e for e in standard_basis(4))
Q = (U_C * U_D.T + U_D * U_A.T) / BETA**2
K = (U_D * U_D.T + U_C * U_C.T) / BETA**2


def test_without_matrices_the_playground_averages():
    widget = playground()
    widget.fill(PRESETS["W_Q = W_K = 0"])
    assert np.all(widget.matrix("K") == 0) and np.all(widget.matrix("Q") == 0)
    assert "(0.33, 0.33, 0.33)" in widget.sentence


@pytest.mark.slow
def test_a_changed_entry_draws_anew():
    widget = playground(2.0)
    widget.fill(PRESETS["W_Q = W_K = 0"])
    before = widget.png
    # d to d, c to c; d to c, a to d
    for name, row, column in (("K", 3, 3), ("K", 2, 2), ("Q", 2, 3), ("Q", 3, 0)):
        widget.put(name, row, column, 2.0)
    assert widget.png != before
    assert "c₀ is 0.00" in widget.sentence and "c₁ 0.00" in widget.sentence


def test_the_playground_computes_the_weights_of_the_equation():
    rng = np.random.default_rng(0)
    query_matrix, key_matrix = rng.integers(-1, 2, (2, 4, 4)).astype(float)
    logits, weights = logits_and_weights(query_matrix, key_matrix, 0.7)
    inputs = [x.subs(BETA, 0.7) for x in (U_D + U_B, U_A, U_C + U_B)]
    for i, query in enumerate(inputs):
        exact = [float((sp.Matrix(key_matrix) * key).dot(sp.Matrix(query_matrix) * query)) for key in inputs]
        np.testing.assert_allclose(logits[i], exact, atol=1e-12)
        np.testing.assert_allclose(weights[i], np.exp(exact) / np.exp(exact).sum())


def test_the_trails_are_the_outputs():
    one = sp.eye(4)
    exact = self_attention([U_D + U_B, U_A, U_C + U_B], one, one, one)[1].subs(BETA, 1).evalf()
    np.testing.assert_allclose(plain_output(np.array([1.0, 0, 0, 0]), 1.0), [float(entry) for entry in exact])
    trail, _ = outputs_with((Q, K), BETA)
    # 1 − 2·exp(−9) of the weight
    np.testing.assert_allclose(trail[-1], [[0, 1, -1, 0], [0, 1, 0, 0]], atol=0.001)


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    [
        None,
        3,
        (1,),
        (sp.nan * sp.eye(4), sp.eye(4)),
        (Q, K, "V"),
        (Q, K, sp.eye(3)),
        ("Q", "K"),
        (sp.eye(3), sp.eye(3)),
    ],
)
def test_a_pair_that_cannot_be_drawn_leaves_the_values_triangle(junk):
    still = reach_figure(junk, BETA)
    assert "your W_Q and W_K" not in still.sentence
    assert still.png().startswith(b"\x89PNG")


def test_the_figure_says_how_near_the_outputs_come():
    assert "c₀ is 0.00·‖u‖ away" in reach_figure((Q, K), BETA).sentence


def test_a_value_matrix_of_ones_own_makes_the_values_and_the_outputs():
    W_Q, W_V = (U_C * U_D.T + U_A * U_A.T) / BETA**2, (U_B * U_B.T - U_C * U_C.T + U_B * U_A.T) / BETA**2
    given = W_Q, sp.eye(4), W_V  # x₁ attends to itself, and its value is u_b
    still = reach_figure(given, BETA)
    assert (
        "corners (1.00, 0.00), (1.00, 0.00), (1.00, 1.00)" in still.sentence
        and "c₁ 0.00·‖u‖ from u_b" in still.sentence
    )
    names = [text.get_text() for text in still.figure.axes[0].texts]
    assert names == ["$W_V x_0 = u_b$", "$W_V x_1$", "$W_V x_2 = u_b - u_c$"]
    growing = W_V + sp.exp(BETA) * U_A * U_A.T / BETA**2
    trail, values = outputs_with((W_Q, sp.eye(4), growing), BETA)
    np.testing.assert_allclose(values[1], [np.exp(3), 1, 0, 0])  # at β = 3, in units of β
    np.testing.assert_allclose(trail[-1, 1, 0] / np.exp(3), 1 / (1 + 2 * np.exp(-9)))


@pytest.mark.slow
def test_every_token_lies_to_the_left_of_the_dashed_line_and_u_b_to_the_right():
    a, b, c, d = np.eye(4)
    tokens = np.array([d + b, a, a + d, a + c, c + b])
    assert np.all(tokens @ PLANE[0] < 0.5) and b @ PLANE[0] > 0.5
    assert hull_figure().png().startswith(b"\x89PNG") and "no triangle crosses" in hull_figure().sentence


@pytest.mark.parametrize(
    "place", [("V", 0, 0, 1), ("K", 4, 0, 1), ("Q", 0, -1, 1), ("K", 0, 0, 10), ("K", 0, 0, float("nan"))]
)
def test_an_entry_that_there_is_not_is_named(place):
    with pytest.raises(UserError, match=re.escape(f"{place[0]}[{place[1]}][{place[2]}]")):
        playground().put(*place)
