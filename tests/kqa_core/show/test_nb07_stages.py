"""The picture of accuracy before and after finetuning says what it shows."""

from kqa_core.show.figures.nb07_curves import accuracy_stages

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
