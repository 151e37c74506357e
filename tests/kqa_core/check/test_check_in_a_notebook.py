"""check(), hint(), progress() and explain(), as a student meets them."""

from __future__ import annotations

import random
import re
import sys
import warnings

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from autograder.answer_key import find_checked
from kqa_core.check import check, explain, hint, progress
from kqa_core.check.api import NotRight, Slip
from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import ProgressStore
from kqa_core.check.registry import find
from kqa_core.errors import UserError


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """A shell puts its own module in the place of `__main__`, which other tests need again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path / "kept"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def weighted_average(values, weights):
    return weights @ values


def stub(values, weights):
    raise NotImplementedError("exercise weighted_average: replace this line with your answer")


def outcome_of(function):
    try:
        check("weighted_average", function)
    except NotRight as failure:
        return failure.verdict.outcome
    return Outcome.RIGHT


def test_a_right_answer_says_one_line(capsys):
    check("weighted_average", weighted_average)
    assert capsys.readouterr().out == "weighted_average: right\n"


@pytest.mark.parametrize(
    ("function", "outcome"),
    [
        (weighted_average, Outcome.RIGHT),
        (stub, Outcome.UNATTEMPTED),
        (lambda values, weights: values.mean(dim=0), Outcome.NOT_YET),
        (lambda values, weights: None, Outcome.NOT_YET),
        (lambda values, weights: float("nan"), Outcome.NOT_YET),
        (lambda values, weights: values.sum(dim=0) * torch.nan, Outcome.NOT_YET),
        (lambda values: values, Outcome.ERROR),
        (lambda values, weights: 1 / 0, Outcome.ERROR),
    ],
)
def test_the_four_outcomes(function, outcome):
    assert outcome_of(function) is outcome


def test_a_wrong_answer_is_one_line_and_no_stack():
    with pytest.raises(NotRight) as failure:
        check("weighted_average", lambda values, weights: values.mean(dim=0))
    shown = failure.value._render_traceback_()
    assert len(shown) == 1
    assert shown[0].startswith("weighted_average: not yet: for the weights")


def test_an_error_names_the_line_of_the_students_own_cell(capsys):
    shell = InteractiveShell()
    cell = "def weighted_average(values, weights):\n    half = 0.5\n    return half * wieghts\n"
    assert shell.run_cell(cell).success
    shell.run_cell("from kqa_core.check import check")
    result = shell.run_cell('check("weighted_average", weighted_average)')
    lines = result.error_in_exec._render_traceback_()
    assert (
        lines[0]
        == "weighted_average: error: your code stopped with a NameError: name 'wieghts' is not defined"
    )
    assert lines[1].strip() == "in weighted_average, line 3 of its cell: return half * wieghts"
    assert lines[2].strip().startswith("in the call weighted_average(") and len(lines) == 3
    assert "kqa_core" not in capsys.readouterr().out  # what the shell showed holds no file of ours


def test_the_line_is_counted_in_the_cell_as_it_is_seen_blank_lines_included():
    """IPython drops the blank lines at the beginning of a cell before it runs it."""
    shell = InteractiveShell.instance()
    try:
        cell = "\n  \ndef weighted_average(values, weights):\n    half = 0.5\n    return half * wieghts\n"
        shell.run_cell(cell, store_history=True).raise_error()
        with pytest.raises(NotRight, match=r"line 5 of its cell: return half \* wieghts"):
            check("weighted_average", shell.user_ns["weighted_average"])
    finally:
        InteractiveShell.clear_instance()


def test_a_warning_on_stderr_does_not_look_like_a_failure(capsys):
    def noisy(values, weights):
        warnings.warn("deprecated", stacklevel=1)
        print("thinking", file=sys.stderr)
        return weights @ values

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        check("weighted_average", noisy)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "thinking" in shown.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("wieghted_average", weighted_average), "did you mean weighted_average"),
        ((weighted_average,), 'in quotes: check("weighted_average", weighted_average)'),
        ((weighted_average, "weighted_average"), 'in quotes: check("weighted_average", weighted_average)'),
        (("weighted_average",), 'give your function too: check("weighted_average", weighted_average)'),
        (("weighted_average", "weighted_average"), "without quotes"),
        (("weighted_average", torch.zeros(3)), "got a Tensor; without brackets"),
        (("weighted_average", None), "got a NoneType"),
        ((3, weighted_average), "as text in quotes; got an int"),
        ((), 'as in check("average_two", average_two)'),
    ],
)
def test_a_mistyped_check_says_what_to_write(arguments, said):
    with pytest.raises(Slip) as slip:
        check(*arguments)
    assert said in str(slip.value)
    assert "\n" not in str(slip.value)
    assert isinstance(slip.value, UserError)


def test_giving_another_exercises_function_is_named():
    def london_baseline(pairs):
        return 0.0

    with pytest.raises(Slip, match=r"the function given is london_baseline"):
        check("weighted_average", london_baseline)


def test_hints_climb_and_stay_on_the_last(capsys):
    for _ in range(4):
        hint("weighted_average")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "weighted_average, hint 1 of 3 (nudge)",
        "weighted_average, hint 2 of 3 (method)",
        "weighted_average, hint 3 of 3 (worked step, the last)",
        "weighted_average, hint 3 of 3 (worked step, the last)",
    ]
    assert lines[2] == lines[3]


def test_a_hint_can_be_read_again_without_climbing(capsys):
    hint("weighted_average", 1)
    hint("weighted_average", 1)
    assert capsys.readouterr().out.count("hint 1 of 3") == 2
    hint("weighted_average")
    assert "hint 2 of 3" in capsys.readouterr().out
    assert ProgressStore().read()["weighted_average"].hints == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'as in hint("average_two")'),
        (("weighted_avrage",), "did you mean weighted_average"),
        ((weighted_average,), 'in quotes: hint("weighted_average")'),
        (("weighted_average", 4), "has hints 1 to 3, not 4"),
        (("weighted_average", 0), "has hints 1 to 3, not 0"),
    ],
)
def test_a_mistyped_hint_says_what_to_write(arguments, said):
    with pytest.raises(Slip) as slip:
        hint(*arguments)
    assert said in str(slip.value)


def test_progress_shows_what_was_done_after_a_restart(capsys):
    check("weighted_average", weighted_average)
    hint("weighted_average")
    capsys.readouterr()
    progress()
    table = capsys.readouterr().out
    row = next(line for line in table.splitlines() if "weighted_average" in line)
    assert row.split() == ["weighted_average", "done", "0", "1", "1", "of", "3"]
    assert "00 start here" in table
    assert "07 pretrain" not in table  # not begun


def test_what_was_right_once_stays_done_and_the_last_try_is_shown(capsys):
    check("weighted_average", weighted_average)
    outcome_of(lambda values, weights: values.mean(dim=0))
    progress("00_start_here")
    assert "done (last try: not yet)" in capsys.readouterr().out


def test_a_function_that_is_wrong_on_purpose_is_not_recorded(capsys):
    with pytest.raises(NotRight, match="not yet"):
        check("weighted_average", lambda values, weights: values.mean(dim=0), record=False)
    assert "weighted_average" not in ProgressStore().read()


def test_progress_of_everything_lists_every_notebook(capsys):
    progress("all")
    assert "07 pretrain finetune evaluate" in capsys.readouterr().out


def test_progress_of_an_unknown_notebook_names_near_ones():
    with pytest.raises(Slip, match="00_start_here"):
        progress("00_start_hare")


def test_an_answer_cell_that_did_not_run_is_named():
    """After a typing mistake that Python cannot read, the old stub is still there:
    the line is true of both.
    """
    with pytest.raises(NotRight, match="write your answer in the cell above, run that cell without an error"):
        check("weighted_average", stub)


def test_an_untouched_stub_counts_as_no_try():
    outcome_of(stub)
    assert ProgressStore().read()["weighted_average"].tries == 0


def test_an_answer_that_calls_an_untouched_stub_names_that_exercise():
    """The student has answered this one, so it is not unattempted: the other one comes first."""

    def exact_logits(K, weights):
        raise NotImplementedError("exercise exact_logits: replace this line with your answer")

    def identity_map(K):
        return torch.stack([exact_logits(K, row) for row in 0.001 + 0.996 * torch.eye(4, dtype=K.dtype)])

    with pytest.raises(
        NotRight, match=r"^identity_map: error: your code needs exact_logits, which is not done yet"
    ) as failure:
        check("identity_map", identity_map)
    assert (
        failure.value.verdict.outcome is Outcome.ERROR and ProgressStore().read()["identity_map"].tries == 1
    )


def test_inside_nbgrader_nothing_is_recorded(monkeypatch, tmp_path):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    check("weighted_average", weighted_average)
    assert not (tmp_path / "kept").exists()


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def by_comparing(T):
    # another program, which draws the other question
    return torch.arange(T)[:, None] >= torch.arange(T)


def test_a_right_answer_is_asked_a_question_about_its_own_code_which_stays_the_same(capsys):
    check("causal_mask", causal_mask)
    call = 'from kqa_core.check import explain; explain("causal_mask", causal_mask)\n'
    assert capsys.readouterr().out.endswith(f"a question about your code, for no points: {call}")
    questions = set()
    for function in (causal_mask, by_comparing) * 2:
        explain("causal_mask", function)
        questions.add(capsys.readouterr().out)
    assert len(questions) == 2
    assert any("`return torch.ones(T, T, dtype=torch.bool).tril()`" in text for text in questions)


def test_a_prediction_is_verified_by_the_students_own_function_and_a_wrong_one_is_not_told(capsys):
    for function in (causal_mask, by_comparing):
        explain("causal_mask", function)
        text = capsys.readouterr().out
        if "how many entries" in text:
            T = int(re.search(r"For T = (\d+)", text)[1])
            explain("causal_mask", function, T * (T + 1) // 2)
            assert f"as you predicted, your code gives {T * (T + 1) // 2}" in capsys.readouterr().out
            with pytest.raises(Slip, match="your code gives another value") as told:
                explain("causal_mask", function, T * T)
            assert str(T * (T + 1) // 2) not in str(told.value)
        else:
            with pytest.raises(Slip, match="answer in words, at least 5"):
                explain("causal_mask", function, "True")
            explain("causal_mask", function, "one True entry: the first position sees itself")
            assert capsys.readouterr().out.startswith("Compare: One entry, which is True")


def test_nothing_is_asked_before_the_answer_is_right_or_where_there_is_no_question():
    with pytest.raises(Slip, match="explain: causal_mask is not right yet; its check says why"):
        explain("causal_mask", lambda T: torch.ones(T, T, dtype=torch.bool))
    with pytest.raises(Slip, match="there is no question about weighted_average"):
        explain("weighted_average", weighted_average)
    with pytest.raises(Slip, match=r'explain\("causal_mask", causal_mask\)'):
        explain("causal_mask")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("average_all", lambda first: 0.0),
        ("causal_mask", lambda T: T * (T + 1) // 2),
        ("perplexity", float),
        (
            "sample_next",
            lambda temperature, u: {(1.0, 0.1): 0, (100.0, 0.9): 2, (1.0, 0.9): 2}.get((temperature, u), 1),
        ),
    ],
)
def test_every_right_answer_of_a_key_gives_what_can_be_predicted(name, expected):
    key, exercise = find_checked(name), find(name)
    predictions = [question for question in exercise.questions if question.draw is not None]
    assert predictions and len(predictions) < len(exercise.questions)
    for answer in (key.reference, *key.accepted):
        for question in predictions:
            for seed in range(8):
                arguments, facts = question.draw(random.Random(seed))
                assert question.text.format(line="", **facts)
                assert question.reads(answer(*arguments), *arguments) == pytest.approx(
                    expected(*facts.values()), abs=1e-6
                )
