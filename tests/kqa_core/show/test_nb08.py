"""The figures of notebook 08 about heads and about certainty."""

import pytest

from kqa_core.errors import UserError
from kqa_core.show.figures.nb06_spans import still
from kqa_core.show.figures.nb08_certainty import (
    draw_curves,
    draw_luck,
    draw_regions,
    draw_reliability,
    draw_sureness,
    draw_threshold,
)
from kqa_core.show.figures.nb08_heads import (
    show_ablation_and_patching,
    show_patched_heads,
    show_weight_and_effect,
)


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.mark.slow
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


SURE, RIGHT = [0.95, 0.9, 0.3, 0.1], [True, False, True, False]


def test_sureness_says_how_many_are_nearly_certain():
    picture = still(draw_sureness, (6, 3), kinds={"told": SURE, "made up": [0.2, 0.91, 1.0]})
    assert repr(picture) == "told: 50 % are at least 0.9 sure; made up: 67 % are at least 0.9 sure."
    line = picture.figure.axes[0].lines[0]
    heights = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert heights[0.9] == 0.5 and heights[0.1] == 1.0  # two of four are at least 0.9 sure, all at least 0.1


def test_a_reliability_diagram_has_a_point_for_each_bin_that_holds_something():
    picture = still(draw_reliability, (6, 3), models={"a": (SURE, RIGHT), "b": ([1.0], [True])})
    first, second = picture.figure.axes
    assert sorted(text.get_text() for text in first.texts) == ["1", "1", "2"]
    assert [text.get_text() for text in second.texts] == ["1"]
    assert [text.get_text() for text in second.get_legend().get_texts()] == ["claimed = true"]
    assert (
        repr(picture)
        == "a: claims 56 % on average, 50 % are right; b: claims 100 % on average, 100 % are right."
    )


def test_curves_are_read_at_full_coverage_and_near_the_half():
    picture = still(draw_curves, (6, 3), curves={"a": [(0.25, 0.0), (0.5, 0.5), (1.0, 0.75)]})
    assert repr(picture) == "a: 75 % wrong if all is answered, 50 % if 50 % is."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threshold", "said"), [(0.0, "2 right, 2 wrong, 0 withheld"), (0.5, "1 right, 1 wrong, 2 withheld")]
)
def test_the_threshold_decides_what_is_given(threshold, said):
    picture = still(
        draw_threshold,
        (8, 3),
        threshold=threshold,
        kinds={"told of": (SURE, RIGHT), "strangers": ([0.2], [False])},
    )
    assert said in repr(picture) and picture.png().startswith(b"\x89PNG")


def test_regions_are_shares_of_their_row():
    picture = still(draw_regions, (4, 4), panels={"x": (["A", "A", "A", "B"], ["A", "A", "B", "B"])})
    assert [text.get_text() for text in picture.figure.axes[0].texts] == ["67", "33", "0", "100"]
    assert repr(picture) == "x: 75 % on the diagonal."


def test_luck_counts_the_perfect_models_that_look_as_bad():
    assert "and 2 of 4 perfect models show as much" in repr(
        still(draw_luck, (5, 3), simulated=[0.1, 0.2, 0.3, 0.4], measured=0.3)
    )
