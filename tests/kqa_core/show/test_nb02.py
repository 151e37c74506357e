"""The pictures of notebook 02: heads, a probability, mixtures of values, and the clouds of varying keys."""

import math
import re

import numpy as np
import pytest

from kqa_core.errors import UserError
from kqa_core.show import show_key_cloud
from kqa_core.show.figures.nb02_cloud import ellipse, principal_axes, reach
from kqa_core.show.figures.nb02_heads import DRAWS, draw_heads, heads_figure, heads_slider, place, shares
from kqa_core.show.figures.nb02_normal import show_normal_area
from kqa_core.show.figures.nb02_triangle import CORNERS, show_value_triangle
from kqa_core.show.kit.palette import new_figure


def percentages(sentence):
    return [int(number) for number in re.findall(r"(\d+) %", sentence)]


def test_the_place_is_measured_along_the_segment_whatever_lies_across_it():
    v_a, v_b = np.array([3.0, 1.0]), np.array([1.0, 1.0])
    outputs = np.array([[1.0, 1.0], [3.0, 5.0], [2.0, -4.0], [1.5, 1.0]])
    np.testing.assert_allclose(place(outputs, v_a, v_b), [0, 1, 0.5, 0.25])


def test_shares_are_those_within_a_tenth():
    assert shares(np.array([0.0, 0.05, 0.95, 0.5, 0.3])) == (0.2, 0.4, 0.2)


@pytest.mark.slow
def test_the_figure_says_where_the_outputs_lie():
    v_a, v_b = np.eye(2)
    one = np.array([v_a, v_a, v_b, v_b])
    still = heads_figure(one, np.array([(v_a + v_b) / 2] * 4), v_a, v_b)
    assert percentages(still.sentence) == [50, 50, 0, 100]
    assert still.png().startswith(b"\x89PNG")
    assert still.png() == heads_figure(one, np.array([(v_a + v_b) / 2] * 4), v_a, v_b).png()


def test_without_variance_both_designs_average_and_with_it_only_the_pair_does():
    steady = percentages(draw_heads(new_figure(), sigma2=0.0, beta=20.0, variance=0.0))
    assert steady == [0, 0, 100, 100]
    near_a, near_b, middle, pair = percentages(draw_heads(new_figure(), sigma2=0.0, beta=60.0, variance=0.5))
    assert 40 < near_a < 55 and 40 < near_b < 55 and middle < 5  # two clumps
    assert 85 < pair < 96  # all but the 8 % that fail


def test_noise_in_every_direction_upsets_one_head_only():
    near_a, near_b, middle, pair = percentages(draw_heads(new_figure(), sigma2=0.02, beta=60.0, variance=0.0))
    assert middle < 20 < min(near_a, near_b) and pair > 95


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sigma2", "beta", "variance"])
def test_the_slider_draws_at_both_ends_of_each_control(name):
    widget = heads_slider()
    for end in ("min", "max"):
        widget.controls[name].value = getattr(widget.controls[name], end)
        assert len(percentages(widget.sentence)) == 4
    assert DRAWS == 1_000


@pytest.mark.slow
def test_the_same_setting_gives_the_same_picture():
    assert heads_slider().png == heads_slider().png


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


ROUND, TILTED, FLAT = np.eye(2) / 4, np.array([[0.5, 0.1], [0.1, 0.05]]), np.array([[0.5, 0.5], [0.5, 0.5]])
N = 40_000
SLACK = 4 * (0.95 * 0.05 / N) ** 0.5  # four standard errors of the share: a false alarm in 1 of 15,000 tests


@pytest.mark.parametrize("covariance", [ROUND, TILTED, FLAT], ids=["round", "tilted", "flat"])
def test_the_ellipse_holds_95_percent_of_the_keys(covariance):
    keys = np.random.default_rng(1).multivariate_normal([0, 0], covariance, size=N, method="eigh")
    deviations, directions = principal_axes(covariance)
    varying = deviations > 1e-6
    inside = (((keys @ directions)[:, varying] / deviations[varying]) ** 2).sum(axis=1) <= reach(
        deviations
    ) ** 2
    assert abs(inside.mean() - 0.95) < SLACK


@pytest.mark.parametrize("covariance", [ROUND, TILTED, FLAT], ids=["round", "tilted", "flat"])
def test_every_point_of_the_outline_is_equally_far_out(covariance):
    outline = ellipse(np.array([1.0, -2.0]), covariance) - np.array([1.0, -2.0])
    deviations, directions = principal_axes(covariance)
    along = outline @ directions
    if deviations[1] > 1e-6:
        np.testing.assert_allclose(((along / deviations) ** 2).sum(axis=1), reach(deviations) ** 2)
    else:
        assert np.abs(along[:, 1]).max() < 1e-9 and np.abs(along[:, 0]).max() == pytest.approx(
            reach(deviations) * deviations[0]
        )


def test_the_axes_are_those_of_the_covariance():
    deviations, directions = principal_axes(TILTED)
    np.testing.assert_allclose(directions @ np.diag(deviations**2) @ directions.T, TILTED)
    assert deviations[0] > deviations[1]


def test_the_sentence_has_the_mean_and_the_deviation_of_each_logit():
    means, query = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 4.0])
    still = show_key_cloud(means, [TILTED, ROUND], query)
    found = re.findall(r"its logit is (\S+) on average, with standard deviation ([\d.]+\d)", still.sentence)
    # the law, by drawing
    keys = np.random.default_rng(0).multivariate_normal(means[0], TILTED, size=N) @ query
    assert [float(each) for each in found[0]] == pytest.approx([keys.mean(), keys.std()], abs=0.05)
    assert [float(each) for each in found[1]] == [4.0, 2.5]  # (0, 1)·(3, 4), and |q| / 2


@pytest.mark.slow
def test_the_samples_in_the_picture_are_drawn_from_the_seed():
    one, again, other = (show_key_cloud((1, 1), TILTED, samples=50, seed=seed) for seed in (1, 1, 2))
    assert one.png() == again.png() != other.png()
    dots = one.figure.axes[0].lines[0].get_xydata()
    assert dots.shape == (50, 2) and "50 samples" in one.sentence


def test_level_lines_are_perpendicular_to_the_query():
    figure = show_key_cloud((1, 0), TILTED, query=(3.0, 1.0)).figure
    (lines,) = (each for each in figure.axes[0].collections if hasattr(each, "levels"))
    drawn = [path.vertices for path in lines.get_paths() if len(path.vertices) > 2]
    assert len(drawn) > 3
    for points in drawn:
        assert np.ptp(points @ np.array([3.0, 1.0])) < 1e-6


def test_a_level_line_goes_through_the_first_mean_and_every_label_is_away_from_the_keys():
    axes = show_key_cloud([(100, 1), (99, 3)], [ROUND, ROUND], query=(4, 4)).figure.axes[0]
    (lines,) = (each for each in axes.collections if hasattr(each, "levels"))
    assert 404 in lines.levels
    places = np.array([label.get_position() for label in lines.labelTexts])
    keys = np.concatenate([line.get_xydata() for line in axes.lines[:4]])
    assert len(places) >= len(lines.levels) - 2
    assert np.linalg.norm(places[:, None] - keys, axis=2).min() > 0.1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (((1, 2, 3), np.eye(3)), "mean"),
        (((1, 2), np.eye(3)), "mean"),
        (((1, 2), [[1, 2], [0, 1]]), "covariance 0"),
        (([(0, 0), (1, 2)], [np.eye(2), -np.eye(2)]), "covariance 1"),
        (((1, 2), np.eye(2), (1, 2, 3)), "query"),
        (((1, 2), np.eye(2), None, 0), "samples = 0"),
    ],
)
def test_what_is_no_cloud_is_named(arguments, said):
    with pytest.raises(UserError, match=f"^{said}"):
        show_key_cloud(*arguments)
