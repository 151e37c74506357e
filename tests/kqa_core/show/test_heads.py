"""The figure and the slider of notebook 02."""

import re

import numpy as np
import pytest

from kqa_core.show.figures.nb02_heads import DRAWS, draw_heads, heads_figure, heads_slider, place, shares
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
