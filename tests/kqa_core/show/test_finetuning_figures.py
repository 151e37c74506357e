"""The figures of notebook 10 say what they show."""

from dataclasses import replace

import numpy as np
import pytest

from kqa_core.encoder.finetune import Curves
from kqa_core.encoder.grid_search import GridRun
from kqa_core.errors import UserError
from kqa_core.show.figures.nb10_finetuning import (
    curves_figure,
    grid_figure,
    kinds_figure,
    labels_figure,
    overfitting_figure,
)
from kqa_core.show.figures.nb10_optimizers import RATES, descent, paths_slider, show_paths, valley
from kqa_core.show.figures.nb10_search import grid_and_random, search_figure
from kqa_core.stats import Proportion

CURVES = Curves([0.7, 0.5, 0.3, 0.25], [0.7, 0.4, 0.3], [0.5, 0.75, 0.9])
RUNS = [
    GridRun(size, rate, epochs, [], [], [0.5, 0.8 + size / 1000 + rate], 0.0)
    for size in (64, 128)
    for rate in (1e-3, 1e-4)
    for epochs in (2, 5)
]


def test_the_curves_tell_where_each_run_ends():
    still = curves_figure({"adamw": CURVES, "sgd": replace(CURVES, validation_accuracy=[0.5, 0.5, 0.52])})
    assert "adamw: loss 0.25 after 4 steps, accuracy from 50.0 to 90.0 %" in still.sentence
    assert "sgd: loss 0.25 after 4 steps, accuracy from 50.0 to 52.0 %" in still.sentence
    left, right = still.figure.axes
    assert [len(line.get_xdata()) for line in left.lines] == [4, 3, 4, 3] and len(right.lines) == 2
    # validated before training, and after each of two epochs
    assert list(right.lines[0].get_xdata()) == [0, 2, 4]


def test_the_grid_shows_every_run_in_its_place_and_frames_the_chosen_one():
    chosen = RUNS[-2]  # 128, 1e-4, 2 epochs
    still = grid_figure(RUNS, chosen)
    assert "8 runs, from 86.4 to 92.9 %" in still.sentence
    assert "batch 128, rate 0.0001, 2 epochs, 92.8 %" in still.sentence
    two, five = still.figure.axes
    assert [text.get_text() for text in two.texts] == ["86.4", "86.5", "92.8", "92.9"]
    [frame] = two.patches
    assert (round(frame.get_x()), round(frame.get_y())) == (0, 1) and not five.patches


def test_the_kinds_stand_beside_each_other():
    shares = {"plain": Proportion(9, 10), "contrast": Proportion(5, 10)}
    still = kinds_figure({"words": shares, "encoder": {kind: Proportion(10, 10) for kind in shares}})
    assert "words: plain 90.0 %, contrast 50.0 %; encoder: plain 100.0 %, contrast 100.0 %" in still.sentence
    [axes] = still.figure.axes
    assert [bar.get_height() for bar in axes.patches] == [90, 50, 100, 100]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["plain", "contrast"]


def test_a_figure_is_a_picture_with_its_sentence():
    data, metadata = curves_figure({"one": CURVES})._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG") and metadata["image/png"]["alt"] == data["text/plain"]


def test_each_run_with_few_labels_is_a_dot_and_each_encoder_a_line_through_the_means():
    few = {
        "pretrained": {100: [0.8, 0.9], 400: [0.9, 0.94]},
        "not pretrained": {100: [0.5, 0.6], 400: [0.65, 0.75]},
    }
    still = labels_figure(few)
    [axes] = still.figure.axes
    heights = [list(line.get_ydata()) for line in axes.lines]
    assert [80, 90] in heights and pytest.approx([85, 92]) in heights and pytest.approx([55, 70]) in heights
    assert [label.get_text() for label in axes.get_xticklabels()] == ["100 labels", "400 labels"]
    assert (
        "pretrained: 85.0 % after 100, 92.0 % after 400; not pretrained: 55.0 % after 100" in still.sentence
    )


def test_overfitting_is_the_epoch_from_which_the_validation_loss_rises():
    still = overfitting_figure([0.7, 0.4, 0.2, 0.0], [0.7, 0.5, 0.4, 0.9], [0.5, 0.8, 0.9, 0.7], kept=2)
    assert "validation loss from 0.70 to 0.90, lowest after epoch 2" in still.sentence
    assert "at most 90.0 %, at the end 70.0 %. Kept: epoch 2." in still.sentence
    left, _ = still.figure.axes
    assert list(left.lines[0].get_ydata()) == [0.7, 0.4, 0.2, 0.0] and list(left.lines[-1].get_xdata()) == [
        2,
        2,
    ]
    assert len(overfitting_figure([0.7, 0.4], [0.7, 0.5], [0.5, 0.8]).figure.axes[1].lines) == 1


def test_the_paths_lie_over_the_valley_and_the_sentence_tells_where_they_end():
    paths = {"SGD": [(1.0, 1.0), (0.5, -0.5)], "wild": [(1.0, 1.0), (5e3, 1.0)]}
    still = show_paths(paths)
    assert "SGD ends at (0.500, −0.500); wild leaves the picture." in still.sentence
    assert [axes.get_title() for axes in still.figure.axes] == ["SGD", "wild"]
    with pytest.raises(UserError, match="the path of SGD: at least two points"):
        show_paths({"SGD": [(1.0, 1.0)]})


@pytest.mark.slow
def test_turning_the_valley_turns_the_path_of_sgd_and_takes_the_advantage_from_the_others():
    def heights(degrees):
        ends = {name: np.array(descent(name, rate, degrees)[-1]) for name, rate in RATES.items()}
        return {name: end @ valley(degrees) @ end / 2 for name, end in ends.items()}

    straight, turned = heights(0), heights(45)
    assert turned["SGD"] == pytest.approx(straight["SGD"])
    assert straight["Adagrad"] < straight["AdamW"] < straight["SGD"] < turned["Adagrad"] < turned["AdamW"]
    assert "SGD, rate 0.015 ends at (0.404, 0.000)" in paths_slider().sentence


def test_a_grid_tries_few_values_of_the_number_that_matters_and_a_random_search_many():
    still = grid_and_random(lambda x: x, best=1.0)
    assert (
        "9 trials each. grid: 3 different values" in still.sentence
        and "random: 9 different values" in still.sentence
    )


def test_both_searches_are_shown_with_the_chosen_run():
    still = search_figure(RUNS[:4], RUNS[4:], RUNS[-1])
    assert "grid: 4 runs with rates from 0.0001 to 0.001, 86.4 to 86.5 %" in still.sentence
    assert still.sentence.endswith("Chosen: batch 128, rate 0.0001, 5 epochs, 92.8 %.")
    [axes] = still.figure.axes
    assert [len(line.get_xdata()) for line in axes.lines] == [4, 4, 1]
