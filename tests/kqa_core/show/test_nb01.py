"""The figures of notebook 01: weights, and the plane of queries and the solid of keys."""

import numpy as np
import pytest
import sympy as sp
import torch

from kqa_core.errors import UserError
from kqa_core.show import key_tetrahedron, query_plane
from kqa_core.show.figures.nb01_heat_map import weight_map
from kqa_core.show.figures.nb01_plane import attend
from kqa_core.show.figures.nb01_rates import rates_figure
from kqa_core.show.figures.nb01_tetrahedron import view
from kqa_core.show.kit.palette import CATEGORIES
from kqa_core.show.kit.sketch import tint
from kqa_core.symbolic.attention import BETA

RIGHT = ((6 - 2) * sp.exp(-BETA) / 4, (6 - 2) * sp.exp(-2 * BETA) / 4)


def test_a_weight_map_says_where_each_row_goes():
    still = weight_map(np.array([[0.9, 0.1, 0.0], [0.0, 0.5, 0.5]]))
    assert still.sentence == "Query 0 gives 0.90 to key 0; query 1 gives 0.50 to keys 1 and 2 each."
    assert still.png().startswith(b"\x89PNG")


def test_the_rows_of_a_weight_map_can_have_names():
    assert (
        weight_map(np.eye(2), rows=("original", "unit key")).sentence
        == "Original gives 1.00 to key 0; unit key gives 1.00 to key 1."
    )
    with pytest.raises(ValueError):
        weight_map(np.eye(2), rows=("original",))


def test_the_rates_figure_says_whether_the_predictions_lie_on_the_lines():
    assert "from β = 3 on, your second from β = 2 on" in rates_figure(RIGHT, 6, BETA).sentence
    assert "your second nowhere to the end" in rates_figure((RIGHT[0], RIGHT[0]), 6, BETA).sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk", [None, 3, "xy", (1,), (sp.nan, sp.oo), (RIGHT[0], None), ([], {}), (-RIGHT[0], sp.Symbol("x"))]
)
def test_rates_that_cannot_be_drawn_are_left_out(junk):
    still = rates_figure(junk, 6, BETA)
    assert "Your" not in still.sentence
    assert still.png().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_same_figure_has_the_same_bytes():
    assert rates_figure(RIGHT, 6, BETA).png() == rates_figure(RIGHT, 6, BETA).png()


PLANE = [(1.0, 0.0), (0.0, 1.0), (-1.0, -0.5)]
SPACE = torch.tensor(
    [[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]], dtype=torch.float64
)


def test_the_weights_are_the_softmax_of_the_logits():
    widget = query_plane(PLANE, query=(2.0, -1.0))
    np.testing.assert_allclose(
        widget.weights, torch.softmax(torch.tensor(PLANE) @ torch.tensor([2.0, -1.0]), dim=0)
    )
    assert "(2.00, −1.00, −1.50)" in widget.sentence and widget.sentence.endswith(
        ": k₀ gets the largest weight."
    )


def test_the_colour_of_the_still_is_that_of_the_key_with_the_largest_logit():
    image = query_plane(PLANE)._draw().axes[0].images[0]
    left, right, bottom, top = image.get_extent()
    colours = np.asarray(image.get_array())  # (rows from below, columns, 3)
    xs, ys = np.linspace(left, right, colours.shape[1]), np.linspace(bottom, top, colours.shape[0])
    paints = 1 - np.array([tint(colour, 1) for colour in CATEGORIES[:3]])
    for i, j in np.random.default_rng(0).integers(0, len(xs), (200, 2)):
        logits = np.array(PLANE) @ (xs[j], ys[i])
        dark = 1 - colours[i, j]
        # cosine: which hue it is
        alike = paints @ dark / np.linalg.norm(paints, axis=1) / np.linalg.norm(dark)
        if np.sort(logits)[-1] - np.sort(logits)[-2] > 1e-6:
            assert alike.argmax() == logits.argmax()


def test_a_tie_is_said_and_the_output_is_the_weighted_average():
    widget = query_plane(PLANE, values=[(0.0, 0.0), (4.0, 0.0), (0.0, 8.0)], query=(0.0, 0.0))
    assert (
        "k₀, k₁ and k₂ share the largest weight" in widget.sentence
        and "The output is (1.33, 2.67)" in widget.sentence
    )
    widget.query = [8.0, 8.0]
    assert "k₀ and k₁ share the largest weight" in widget.sentence and "(2.00, 0.00)" in widget.sentence


def test_values_may_be_numbers_or_have_any_width():
    assert "The output is (3.50)" in query_plane(PLANE[:2], values=[3.0, 4.0], query=(0.0, 0.0)).sentence
    assert (
        "(2.00, 2.00, 2.00)"
        in query_plane(PLANE[:2], values=[[1, 2, 3], [3, 2, 1]], query=(0.0, 0.0)).sentence
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([(1.0, 0.0)],), "keys"),
        ((np.eye(3),), "keys"),
        (([(1.0, 0.0), (float("nan"), 0.0)],), "keys"),
        ((np.ones((7, 2)),), "keys"),
        ((PLANE, [(1.0, 2.0)]), "values"),
        ((PLANE, None, (1.0, 2.0, 3.0)), "query"),
        ((PLANE, None, (1.0, float("inf"))), "query"),
    ],
)
def test_what_does_not_fit_the_plane_is_named(arguments, said):
    with pytest.raises(UserError, match=f"^{said}"):
        query_plane(*arguments)


@pytest.mark.parametrize("turn", [(0, 0), (40, 20), (215, -75), (90, 90)])
def test_the_view_is_a_rotation_whose_first_row_points_toward_the_viewer(turn):
    rows = view(*turn)
    np.testing.assert_allclose(rows @ rows.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.cross(rows[1], rows[2]), rows[0], atol=1e-12)


@pytest.mark.parametrize("turn", [[0, 0], [40, 20], [300, -30], [120, 60]])
def test_the_nearest_corner_has_the_largest_weight(turn):
    widget = key_tetrahedron(SPACE)
    widget.turn = turn
    nearness = SPACE.numpy() @ view(*turn)[0]
    assert widget.weights.argmax() == nearness.argmax()
    np.testing.assert_allclose(widget.weights, torch.softmax(4 * torch.tensor(nearness), 0))
    assert f"k{'₀₁₂₃'[nearness.argmax()]}" in widget.sentence


def test_a_short_key_is_not_selected_by_a_query_along_it():
    """Row 0 of the matrix in notebook 01 is such a key; the button "q along k₀" shows it."""
    along = SPACE[0] / SPACE[0].norm()
    _, weights = attend(SPACE.numpy(), 20 * along.numpy())
    assert weights.argmax() == 1


@pytest.mark.parametrize(
    "keys", [np.eye(3), np.ones((4, 2)), np.zeros((4, 3)), "keys", np.full((4, 3), np.nan)]
)
def test_what_are_not_four_keys_in_space_is_named(keys):
    with pytest.raises(UserError, match=r"^keys"):
        key_tetrahedron(keys)
