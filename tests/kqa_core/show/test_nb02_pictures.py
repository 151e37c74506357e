"""The pictures of notebook 02 that show a probability and mixtures of three values."""

import math

import numpy as np
import pytest

from kqa_core.errors import UserError
from kqa_core.show.figures.nb02_heads import draw_heads
from kqa_core.show.figures.nb02_normal import show_normal_area
from kqa_core.show.figures.nb02_triangle import CORNERS, show_value_triangle
from kqa_core.show.kit.palette import new_figure

NAMES = ("animal", "tired", "the")


def test_the_shaded_area_is_the_formula_with_erf():
    probability = (1 + math.erf((1.549 - 1) / math.sqrt(2 * 0.5))) / 2
    still = show_normal_area(1, 0.5, 1.549)
    assert f"with probability {probability:.3f}" in still.sentence and "0.781" in still.sentence
    assert still.png().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings, one, two", [((0, 10, 0.05), 16, 100), ((0, 10, 0.5), 5, 87), ((0.01, 60, 0), 4, 100)]
)
def test_the_slider_shows_the_shares_near_the_middle_that_the_notebook_states(settings, one, two):
    said = draw_heads(new_figure(), *settings)
    assert f"and {one} % near the middle" in said and f"Two heads: {two} % lie near the middle" in said


@pytest.mark.parametrize("variance", [0.0, -1.0, float("nan")])
def test_a_variance_that_is_not_positive_is_named(variance):
    with pytest.raises(UserError, match="variance = "):
        show_normal_area(0, variance, 1)


def test_the_triangle_says_the_mean_of_each_design():
    one, two = np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[0.5, 0.25, 0.25]])
    still = show_value_triangle({"one head": one, "two heads": two}, NAMES)
    assert "one head: on average 0.50 of animal, 0.50 of tired and 0.00 of the" in still.sentence
    assert "two heads: on average 0.50 of animal, 0.25 of tired and 0.25 of the" in still.sentence
    assert still.png().startswith(b"\x89PNG")


def test_the_triangle_counts_the_outputs_in_the_circle_around_the_target():
    near, far = [[0.5, 0.5, 0], [0.55, 0.45, 0]], [[0.6, 0.4, 0], [1, 0, 0]]
    still = show_value_triangle({"pair": np.array(near + far)}, NAMES)
    assert "50 % of the outputs are in the circle around the target" in still.sentence
    (circle,) = (patch for patch in still.figure.axes[0].patches if hasattr(patch, "radius"))
    drawn = np.linalg.norm(np.array(near + far) @ CORNERS - circle.center, axis=1) < circle.radius
    assert drawn.tolist() == [True, True, False, False]


@pytest.mark.parametrize("shares", [np.eye(2), np.ones((4, 3)), np.ones(3) / 3])
def test_rows_that_are_not_shares_of_three_values_are_named(shares):
    with pytest.raises(UserError, match="'one head' has shape"):
        show_value_triangle({"one head": shares}, NAMES)
