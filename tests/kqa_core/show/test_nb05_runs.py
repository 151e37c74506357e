"""The picture of a paired t-test says what the test says; the live picture of runs shows every run."""

import math

import pytest

from kqa_core.errors import UserError
from kqa_core.show.figures.nb05_paired import show_paired_test
from kqa_core.show.figures.nb05_runs import live_runs, runs_figure
from kqa_core.stats import paired

CASES = (
    ([61.0, 58.0, 63.0], [47.0, 50.0, 44.0]),  # t = 4.3: just below the limit
    ([8.425, 8.519, 8.543], [8.617, 8.685, 8.72]),
    ([1.0, 2.0, 3.0, 4.0], [1.5, 1.0, 3.5, 3.2]),
)


@pytest.mark.parametrize("case", CASES)
def test_the_sentence_gives_the_verdict_of_the_test_both_ways_round(case):
    for first, second in (case, case[::-1]):
        said = show_paired_test(first, second, ("a", "b")).sentence
        assert ("not shown to differ" in said) is (paired(first, second) > 0.05) and said.startswith(
            "a minus b: "
        )


def test_the_interval_and_t_are_those_of_the_formula():
    said = show_paired_test([3.0, 5.0, 7.0], [1.0, 2.0, 3.0]).sentence  # differences 2, 3, 4: mean 3, s.d. 1
    half = 4.3027 / math.sqrt(3)
    assert (
        f"{3 - half:.3g} to {3 + half:.3g}" in said
        and f"t = {3 * math.sqrt(3):.1f} against a limit of 4.30" in said
    )


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1.0], [2.0], "at least 2"),
        ([1.0, 2.0], [1.0], "one length"),
        ([1.0, 2.0], [0.0, 1.0], "deviation is 0"),
    ],
)
def test_lists_without_a_test_are_refused_in_one_line(first, second, said):
    with pytest.raises(UserError, match=said):
        show_paired_test(first, second)


def test_every_run_has_a_line_and_every_variant_one_label():
    losses = {("plain", 0): [2.0, 1.0], ("mine", 0): [2.0, 0.0], ("plain", 1): [2.0]}
    still = runs_figure(losses, ("plain", "mine"), 10, 8.0)
    axes = still.figure.axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["plain", "mine"]
    assert len(axes.get_lines()) == 4  # three runs and the line of guessing
    assert "plain, seed 1: 7.39 after 1 steps" in still.sentence


def test_the_picture_before_the_first_run_says_so():
    assert "No run has started" in runs_figure({}, ("plain",), 10, None).sentence


def test_a_run_that_never_took_a_step_is_drawn_with_the_others():
    still = runs_figure({("plain", 0): [2.0], ("mine", 0): []}, ("plain", "mine"), 10, None)
    assert "plain, seed 0: 7.39 after 1 steps; mine, seed 0: no step yet" in still.sentence


def test_outside_a_notebook_the_losses_are_kept_and_nothing_is_shown(capsys):
    with live_runs(("plain",), 3) as picture:
        watch = picture.watch("plain", 0)
        for step in range(3):
            watch(step + 1, 2.0 - step)
    assert picture.losses == {("plain", 0): [2.0, 1.0, 0.0]} and capsys.readouterr().out == ""
    with live_runs(("plain",), 3) as picture:  # a run that starts again starts a new curve
        picture.watch("plain", 0)(1, 5.0)
        picture.watch("plain", 0)(1, 4.0)
    assert picture.losses == {("plain", 0): [4.0]}
