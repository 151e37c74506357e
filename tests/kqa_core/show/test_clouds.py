"""The cloud of a varying key: the ellipse holds 95 % of the keys,
and the sentence has the law of the logit.
"""

import re

import numpy as np
import pytest

from kqa_core.errors import UserError
from kqa_core.show import show_key_cloud
from kqa_core.show.figures.nb02_cloud import ellipse, principal_axes, reach

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
