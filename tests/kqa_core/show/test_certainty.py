import pytest

from kqa_core.show.figures.nb06_spans import still
from kqa_core.show.figures.nb08_certainty import (
    draw_curves,
    draw_luck,
    draw_regions,
    draw_reliability,
    draw_sureness,
    draw_threshold,
)

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
