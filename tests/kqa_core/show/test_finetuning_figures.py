"""The figures of notebook 10 say what they show."""

from dataclasses import replace

import pytest

from kqa_core.encoder.finetune import Curves
from kqa_core.encoder.grid_search import GridRun
from kqa_core.show.figures.nb10_finetuning import curves_figure, grid_figure, kinds_figure, labels_figure
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
    assert list(right.lines[0].get_xdata()) == [0, 2, 4]  # validated before training, and after each of two epochs


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


def test_each_number_of_labels_has_its_share_and_interval_and_the_prompt_its_line():
    few = {
        "pretrained": {100: Proportion(80, 100), 400: Proportion(90, 100)},
        "has read nothing": {100: Proportion(50, 100), 400: Proportion(65, 100)},
    }
    still = labels_figure(few, Proportion(97, 100))
    [axes] = still.figure.axes
    for container, shares in zip(axes.containers, few.values(), strict=True):
        points, _, [bars] = container
        assert dict(zip(*points.get_data(), strict=True)) == {count: 100 * share.value for count, share in shares.items()}
        for [(_, low), (_, high)], share in zip(bars.get_segments(), shares.values(), strict=True):
            assert [low, high] == pytest.approx([100 * end for end in share.interval])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["100", "400"]
    assert "pretrained: 80.0 % after 100, 90.0 % after 400" in still.sentence
    assert still.sentence.endswith("the prompt, without a label: 97.0 %.")
    assert len(labels_figure(few).figure.axes[0].lines) == len(axes.lines) - 1
