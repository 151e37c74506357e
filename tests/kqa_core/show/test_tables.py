"""Matrices side by side, embedding sums, position waves, losses and seeds:
what the pictures show is what they were given.
"""

import math
import re

import numpy as np
import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.model.positions import sinusoidal_positions
from kqa_core.show import (
    compare_matrices,
    show_embedding_sum,
    show_loss_curve,
    show_position_waves,
    show_seed_dots,
)
from kqa_core.show.kit.palette import new_figure
from kqa_core.show.kit.sketch import draw_table, ink_on, listed, signed, written

BUILT = {"K": np.eye(3), "Q": -np.eye(3)}
LEARNED = {"K": np.full((3, 3), 0.5), "Q": torch.zeros(3, 3)}
TOKENS, POSITIONS = np.arange(20.0).reshape(5, 4), np.arange(12.0).reshape(3, 4) / 10


def images(still):
    return [image for axes in still.figure.axes for image in axes.images]


def test_all_matrices_share_one_scale_with_white_at_zero():
    limits = {image.get_clim() for image in images(compare_matrices(BUILT, LEARNED))}
    assert limits == {(-1.0, 1.0)}
    np.testing.assert_allclose(signed(np.ones((1, 1)))["cmap"](0.5), 1, atol=0.01)


@pytest.mark.slow
def test_each_matrix_has_its_numbers_and_the_sentence_how_far_they_are_apart():
    still = compare_matrices(BUILT, LEARNED, titles=("by hand", "trained"))
    by_hand = [text.get_text() for text in still.figure.axes[1].texts]
    assert by_hand == ["−1", "0", "0", "0", "−1", "0", "0", "0", "−1"]
    assert (
        still.sentence
        == "Matrices on one colour scale, above by hand, below trained. K: the entries differ by at most 0.5;"
        " Q: the entries differ by at most 1."
    )


def test_the_colour_bar_ends_at_0_where_nothing_is_negative():
    bars = [
        compare_matrices({"A": np.eye(2)}, {"A": other}).figure.axes[-1] for other in (np.eye(2), -np.eye(2))
    ]
    assert [bar.get_ylim() for bar in bars] == [(0, 1), (-1, 1)]


def test_rows_and_columns_may_have_names():
    axes = compare_matrices(BUILT, LEARNED, labels={"Q": ("abc", "xyz")}).figure.axes
    for panel, rows, columns in ((axes[0], "012", "012"), (axes[1], "abc", "xyz"), (axes[3], "abc", "xyz")):
        assert [text.get_text() for text in panel.get_yticklabels()] == [*rows]
        assert [text.get_text() for text in panel.get_xticklabels()] == [*columns]


@pytest.mark.parametrize("labels", [{"Q": ("ab", "xyz")}, {"Q": ("abc", "wxyz")}, {"V": ("abc", "xyz")}])
def test_labels_that_do_not_fit_are_named(labels):
    with pytest.raises(UserError, match=f"^labels of {next(iter(labels))} are "):
        compare_matrices(BUILT, LEARNED, labels=labels)


def test_masked_entries_are_hatched_and_have_no_number():
    axes = new_figure().subplots()
    draw_table(axes, np.array([[0.0, -math.inf], [1.0, math.nan]]), signed([[1.0]]))
    assert [text.get_text() for text in axes.texts] == ["0.00", "1.00"]
    assert [patch.get_xy() for patch in axes.patches if patch.get_hatch()] == [(0.5, -0.5), (0.5, 0.5)]


@pytest.mark.filterwarnings("error")
def test_two_masked_matrices_are_compared_where_both_have_numbers():
    causal = torch.tensor([[1.0, -math.inf], [0.5, 0.25]])
    assert (
        "S: the entries differ by at most 0.25."
        in compare_matrices({"S": causal}, {"S": causal + 0.25}).sentence
    )


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ({}, {}, "the names are"),
        (BUILT, {"K": np.eye(3)}, "the names are"),
        (BUILT, {"K": np.eye(2), "Q": np.eye(3)}, "K has shape"),
        ({"K": [1, 2]}, {"K": [1, 2]}, "K must have rows and columns"),
        ({"K": "?"}, {"K": "?"}, "K must be a table of numbers"),
    ],
)
def test_matrices_that_cannot_be_compared_are_named(left, right, said):
    with pytest.raises(UserError, match=f"^{said}"):
        compare_matrices(left, right)


@pytest.mark.slow
def test_the_sum_is_the_sum_of_the_chosen_rows():
    chosen, positions, total = (
        image.get_array() for image in images(show_embedding_sum(TOKENS, torch.tensor(POSITIONS), [4, 0, 4]))
    )
    np.testing.assert_allclose(chosen, TOKENS[[4, 0, 4]])
    np.testing.assert_allclose(total, chosen + positions)
    np.testing.assert_allclose(positions, POSITIONS)


def test_ids_may_be_a_tensor_and_wide_tables_have_no_numbers():
    still = show_embedding_sum(torch.zeros(5, 32), torch.ones(8, 32), torch.tensor([1, 2]))
    assert not any(axes.texts for axes in still.figure.axes) and "token 2 at position 1" in still.sentence


@pytest.mark.parametrize("ids", ["two", 3, None, [None]])
def test_ids_that_are_no_list_of_numbers_are_named(ids):
    with pytest.raises(UserError, match=rf"^ids {re.escape(repr(ids))}: "):
        show_embedding_sum(TOKENS, POSITIONS, ids)


@pytest.mark.parametrize("ids", [[], [5], [-1], [0, 0, 0, 0]])
def test_ids_without_a_row_are_named(ids):
    with pytest.raises(UserError, match=rf"^ids {re.escape(str(ids))}: "):
        show_embedding_sum(TOKENS, POSITIONS, ids)
    with pytest.raises(UserError, match="same number of columns"):
        show_embedding_sum(TOKENS, POSITIONS[:, :3], ids)


def test_the_loss_has_its_ends_and_its_baselines():
    losses = [3.0, 2.0, 1.0]
    still = show_loss_curve(losses, baseline=math.log(30))
    axes = still.figure.axes[0]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), losses)
    assert axes.get_ylim()[1] > math.log(30)
    assert (
        still.sentence
        == "The loss over 3 steps: 3.00 at first, 1.00 at the end. The dashed line is baseline, 3.40."
    )
    named = show_loss_curve(losses, {"uniform guess": 3.4, "best": 0.5}).sentence
    assert "uniform guess, 3.40" in named and "best, 0.50" in named
    assert "dashed" not in show_loss_curve(losses).sentence
    # training that failed is drawn as well
    assert "nan at the end" in show_loss_curve([2.0, math.nan]).sentence
    with pytest.raises(UserError, match=r"^losses"):
        show_loss_curve([])


def test_the_waves_are_the_columns_of_the_table():
    table = sinusoidal_positions(50, 16)
    still = show_position_waves(table)
    heat, curves = still.figure.axes[:2]
    np.testing.assert_allclose(heat.images[0].get_array(), table.numpy())
    for curve in curves.get_lines()[:4]:
        column = int(curve.get_label().rpartition(" ")[2])
        np.testing.assert_allclose(curve.get_ydata(), table[:, column])
    counts = [int(count) for count in re.findall(r"(\d+) times", still.sentence)]
    # sin t has a zero at every multiple of π
    assert counts[0] == int(49 / math.pi) and counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (5, 2), (1, 8)])
def test_small_tables_of_positions_are_drawn_too(shape):
    assert (
        f"{shape[0]} position vectors of {shape[1]} components"
        in show_position_waves(np.ones(shape)).sentence
    )


def test_one_dot_for_each_seed_and_a_line_between_runs_of_one_seed():
    still = show_seed_dots({"plain": [10.0, 12.0], "rotary": [9.0, 10.5]})
    lines = still.figure.axes[0].lines
    joined = [line.get_ydata().tolist() for line in lines if line.get_linewidth() == 1.2]
    dots = [list(line.get_ydata()) for line in lines if line.get_marker() in "os"]
    assert joined == [[10.0, 9.0], [12.0, 10.5]] and dots == [[10.0, 9.0], [12.0, 10.5]]
    assert "mean difference\n−1.25" in [text.get_text() for text in still.figure.axes[0].texts]
    assert "from plain to rotary, runs of the same seed change by −1.25 on average" in still.sentence


def test_only_the_pairs_that_were_asked_for_are_joined():
    results = {"a": [1.0], "b": [2.0], "c": [4.0]}
    assert show_seed_dots(results).sentence.count("same seed") == 2
    assert (
        "from a to c, runs of the same seed change by 3.00"
        in show_seed_dots(results, pairs=[("a", "c")]).sentence
    )
    assert "same seed" not in show_seed_dots(results, pairs=[]).sentence


@pytest.mark.parametrize(
    ("results", "pairs", "said"),
    [
        ({}, None, "results"),
        ({"a": []}, None, "results"),
        ({"a": [1], "b": [1, 2]}, None, "results"),
        ({"a": [1], "b": [1]}, [("a", "c")], "pair"),
        ({"a": [1], "b": [1]}, [("a", "b", "a")], "pair"),
    ],
)
def test_results_that_cannot_be_paired_are_named(results, pairs, said):
    with pytest.raises(UserError, match=f"^{said}"):
        show_seed_dots(results, pairs)


@pytest.mark.parametrize(
    ("number", "text"), [(0.125, "0.13"), (-0.125, "−0.13"), (-0.001, "0.00"), (2, "2.00"), (-1.5, "−1.50")]
)
def test_numbers_are_rounded_as_the_page_rounds_them(number, text):
    assert written(number) == text and listed([number]) == f"({text})"


@pytest.mark.parametrize(
    ("colour", "ink"), [((1, 1, 1), "black"), ((0, 0.13, 0.3), "white"), ((0.9, 0.62, 0), "black")]
)
def test_the_ink_can_be_read(colour, ink):
    assert ink_on(colour) == ink
