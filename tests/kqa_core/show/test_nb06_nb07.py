"""The figures of notebooks 06 and 07 say in words what they show."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.container import BarContainer

from kqa_core.show.figures.nb06_spans import draw_roles, draw_stages, shares, still
from kqa_core.show.figures.nb07_curves import Published, accuracy_stages, gap, losses, schedule, smooth
from kqa_core.stats import Proportion

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
def test_a_table_of_accuracies_names_every_bar_its_interval_and_what_was_not_measured():
    bars = {
        "London": Proportion(25, 500),
        "others": Published(0.228, "published"),
        "ours": None,
        "none asked": Proportion(0, 0),
    }
    still = gap(bars, "Dev accuracy")
    assert (
        repr(still)
        == "Dev accuracy. London: 5.0 % (3.4 to 7.3); others: 22.8 % (published); ours: not measured; none"
        " asked: not measured."
    )
    assert still.png().startswith(PNG)


@pytest.mark.parametrize("share", [Proportion(0, 100), Proportion(100, 100), Proportion(1, 1)])
def test_a_bar_at_either_end_of_the_scale_has_an_interval_within_it(share):
    axes = gap({"bar": share}).figure.axes[0]
    bars = next(each for each in axes.containers if isinstance(each, BarContainer))
    (low, _), (high, _) = bars.errorbar.lines[2][0].get_segments()[0]
    assert 0.0 <= low < high <= 100.0


def test_bars_stand_in_the_order_given_the_first_on_top():
    axes = gap({"first": Proportion(1, 10), "second": Proportion(2, 10)}).figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "second"]
    bottom, top = axes.get_ylim()
    assert bottom > top


def test_a_published_bar_has_no_interval_of_ours():
    axes = gap({"others": Published(0.2)}).figure.axes[0]
    assert [each.errorbar for each in axes.containers] == [None]


def test_smoothing_takes_means_of_what_is_there():
    assert smooth([4.0, 2.0, 0.0, 4.0], 2) == [4.0, 3.0, 1.0, 2.0]
    assert smooth([3.0, 1.0], 1) == [3.0, 1.0]
    assert smooth([], 5) == []


def test_all_runs_share_one_axis_of_steps_and_runs_that_did_not_happen_are_absent():
    still = losses({"text": [4.0] * 500, "questions": [4.0, 2.0, 1.0], "not run": []})
    assert (
        repr(still)
        == "Loss of each run. text: from 4.00 to 4.00 in 500 steps; questions: from 4.00 to 1.00 in 3 steps."
    )
    [axes] = still.figure.axes
    assert axes.get_xscale() == "log" and axes.get_xlim()[1] > 500
    # each run, and a dot at its end
    assert [list(line.get_xdata())[-1] for line in axes.get_lines()] == [500, 500, 3, 3]
    assert losses({}).png().startswith(PNG)


def test_a_schedule_that_comes_back_is_said_to():
    def published(epoch):
        return max(0.1, 0.5 * (1 + math.cos(math.pi * epoch / 200)))

    still = schedule(
        {"published": published, "mended": lambda epoch: published(min(epoch, 200))}, run=650, horizon=200
    )
    # the cosine has period 400, so it is full again at 400; ½(1 + cos 3.25π) = ½(1 − √½) = 0.146 at the end
    assert "published: at most 1.00 of the full rate after epoch 200 (at 400), 0.15 at the end" in repr(still)
    assert "mended: at most 0.10 of the full rate after epoch 200" in repr(still)


def test_a_notebook_gets_the_picture_its_alt_text_and_the_sentence():
    still = gap({"London": Proportion(25, 500)})
    data, metadata = still._repr_mimebundle_()
    assert data["image/png"].startswith(PNG)
    assert data["text/plain"] == metadata["image/png"]["alt"] == still.sentence


def test_a_picture_is_the_same_twice():
    assert gap({"London": Proportion(25, 500)}).png() == gap({"London": Proportion(25, 500)}).png()


RECORDED = {"text only": [0, 1], "text, then questions": [30, 40]}


def test_each_seed_is_a_line_and_ones_own_run_another():
    still = accuracy_stages(RECORDED, {"text only": 2}, 200, {"ceiling": 0.96})
    assert (
        repr(still)
        == "Right answers of 200 at each stage. ceiling: 96 %; text only: 0, 1, mean 0.5, yours 2; text, then"
        " questions: 30, 40, mean 35.0."
    )
    seeds, mine = still.figure.axes[0].lines[:2], still.figure.axes[0].lines[2]
    assert [list(line.get_ydata()) for line in seeds] == [[0, 15], [0.5, 20]] and list(mine.get_ydata()) == [
        1
    ]
    assert still.png().startswith(b"\x89PNG")


def test_without_a_run_of_ones_own_it_shows_the_recorded_ones():
    axes = accuracy_stages(RECORDED, {}, 200, {}).figure.axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["recorded, one per seed"]


LINE = "Owain Penlan. Penlan was a weaver born in Aberwyn."

cuts = st.integers(1, 40).flatmap(
    lambda length: st.integers(1, length).flatmap(
        lambda masked: st.integers(0, length - masked).map(lambda start: (length, start, masked))
    )
)


@pytest.mark.slow
@given(st.lists(cuts, min_size=1, max_size=8), st.integers(1, 12))
def test_shares_are_those_that_counting_gives(drawn, width):
    counted = [sum(s <= k and k + width <= s + m for _, s, m in drawn) / len(drawn) for k in range(40)]
    assert shares(drawn, 40, width) == counted


@pytest.mark.slow
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_each_stage_shows_its_lines_and_says_what_happened(stage):
    picture = still(draw_stages, (8, 2), document=LINE, cut=(45, 42, 3), block_size=64, stage=stage)
    sentence = repr(picture)
    assert sentence.startswith("The line is cut to its first 45 characters.")
    assert ("'Abe'" in sentence) is (stage >= 2)
    assert ("without its first" in sentence) is (stage == 4)
    drawn = [text.get_text() for text in picture.figure.axes[0].texts if len(text.get_text()) > 1]
    assert len(drawn) == stage + (stage == 4)


def test_the_row_in_the_picture_is_the_row():
    picture = still(draw_stages, (8, 2), document=LINE, cut=(45, 42, 3), block_size=64)
    cells = [
        (text.get_position(), text.get_text())
        for text in picture.figure.axes[0].texts
        if len(text.get_text()) == 1
    ]
    row = "".join(letter for (_, y), letter in sorted(cells) if y == -2)
    assert row == (LINE[:42] + "⁇⁇Abe").ljust(64, "□")
    x, y = ("".join(letter for (_, height), letter in sorted(cells) if height == line) for line in (-3, -4))
    assert (x, y) == (row[:-1], row[1:])


def test_the_picture_of_roles_says_what_is_cut_off_and_masked():
    picture = still(draw_roles, (6, 3), cuts=[(40, 10, 10)] * 2 + [(40, 11, 10), (20, 0, 5)], total=50)
    assert (
        repr(picture)
        == "In 4 rows, character 25 is cut off in 25 %, masked in 0 %. 10 characters are masked together in"
        " 50 % at best, from character 10 on, and in 0.0 % from character 37 on."
    )
    assert picture.png().startswith(b"\x89PNG")
    assert len(picture.figure.legends[0].get_texts()) == 4
