"""The figures of notebook 08 about heads."""

import pytest

from kqa_core.errors import UserError
from kqa_core.show.figures.nb08_heads import (
    show_ablation_and_patching,
    show_patched_heads,
    show_weight_and_effect,
)


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_the_diagram_has_every_head_in_each_row_but_the_changed_one():
    drawn = texts(show_ablation_and_patching(3).figure.axes[0])
    assert [drawn.count(name) for name in ("head 0", "head 1", "head 2", "head 3")] == [3, 1, 3, 0]
    assert "0" in drawn and "B's" in drawn and drawn.count("$W_O$") == 2


@pytest.mark.parametrize("heads", [1, 7])
def test_the_diagram_has_two_to_six_heads(heads):
    with pytest.raises(UserError, match="2 to 6"):
        show_ablation_and_patching(heads)


def test_each_head_is_a_point_of_its_weight_and_its_effect():
    picture = show_weight_and_effect([("0.0", 0.5, 40), ("0.1", 0.25, 30), ("1.0", 0.75, 2)], total=60)
    axes = picture.figure.axes[0]
    assert [list(zip(*line.get_data(), strict=True)) for line in axes.lines] == [
        [(0.5, 40), (0.25, 30)],
        [(0.75, 2)],
    ]
    assert sorted(texts(axes)) == ["0.0", "0.1", "1.0"]
    assert "head 1.0: weight 0.75, 2 lost" in repr(picture)


def test_without_heads_or_answers_there_is_nothing_to_draw():
    for heads, total in (([], 5), ([("0.0", 0.5, 1)], 0)):
        with pytest.raises(UserError, match="at least one of each"):
            show_weight_and_effect(heads, total)


def test_patched_heads_are_two_curves_for_each_set_of_positions():
    picture = show_patched_heads({"name": [(0.0, 1.0), (0.25, 0.5)], "answer": [(0.0, 1.0), (1.0, 0.0)]})
    first, second = picture.figure.axes
    assert [list(line.get_ydata()) for line in first.lines] == [[0, 25], [100, 50]]
    assert [list(line.get_ydata()) for line in second.lines] == [[0, 100], [100, 0]]
    assert "answer: with 0, 1, 2, … heads patched, 0, 100 % of the answers are B's place" in repr(picture)
