"""check() judges what would be submitted: helpers, and written answers in the saved file."""

from __future__ import annotations

import dataclasses
import json
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

from kqa_core.check import check, predicted
from kqa_core.check.api import NotRight, Slip
from kqa_core.check.display import exercise_row
from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import Record
from kqa_core.check.registry import CLONE, find
from kqa_core.check.submitted import HANDED_OUT
from kqa_core.check.written import is_empty


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """A shell puts its own module in the place of `__main__`, which other tests need again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path / "kept"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


HELPED = """
def weighted_average(values, weights):
    return multiplied(weights, values)
"""


@pytest.fixture
def in_a_notebook(tmp_path, monkeypatch):
    """Runs the cells of a notebook, which its folder holds as saved, and checks weighted_average. `order` are
    the cells that are run, if not all from top to bottom; with `remembered` False, the kernel keeps no
    history. A cell is (id, nbgrader's marks, source), or a fourth item with the text that was handed out.
    """

    def run(*cells, unsaved=(), first=(), order=None, remembered=True):
        saved = [
            {
                "id": identity,
                "cell_type": "code",
                "source": source,
                "metadata": {**({"nbgrader": marks} if marks else {}), **more},
            }
            for identity, marks, source, *rest in cells
            for more in [{HANDED_OUT: rest[0]} if rest else {}]
        ]
        (tmp_path / "00_start_here.ipynb").write_text(json.dumps({"cells": saved}), encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
        monkeypatch.setenv("KQA_COURSE", str(CLONE))
        shell = InteractiveShell.instance()
        shell.reset()
        here = [*first, *(cell[2] for cell in cells), *unsaved] if order is None else order
        for source in here:
            shell.run_cell(source, store_history=remembered).raise_error()
        try:
            check("weighted_average", shell.user_ns["weighted_average"])
        except NotRight as failure:
            return failure.verdict.outcome, str(failure)
        return Outcome.RIGHT, ""

    yield run
    InteractiveShell.clear_instance()


SETUP = ("setup_1", {"grade_id": "setup_1", "locked": True}, "import torch")
ANSWER = ("weighted_average", {"grade_id": "weighted_average", "solution": True}, HELPED)
HELPER = "def multiplied(a, b):\n    return a @ b"


@pytest.mark.slow
def test_a_helper_of_a_demonstration_is_not_submitted(in_a_notebook):
    outcome, said = in_a_notebook(SETUP, ("setup_1-1", None, HELPER), ANSWER)
    assert outcome is Outcome.ERROR
    assert "`multiplied` is defined in a cell that is not submitted: define it in an answer cell" in said


@pytest.mark.slow
def test_a_helper_behind_a_submitted_function_is_found_and_named_with_it(in_a_notebook):
    own = "def multiplied(a, b):\n    return product(a, b)"
    demonstration = ("setup_1-2", None, "product = torch.matmul")
    outcome, said = in_a_notebook(SETUP, demonstration, ("0a1b2c", None, own), ANSWER)
    assert outcome is Outcome.ERROR
    assert "`product`, which multiplied needs, is defined in a cell that is not submitted" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "helper",
    [
        ("0a1b2c3d", None, HELPER),  # a cell of the student's own
        ("setup_1-1", None, HELPER, "print('a demonstration as it was handed out')"),
        ("setup_2", {"grade_id": "setup_2", "locked": True}, HELPER),
        ("other", {"grade_id": "other", "solution": True}, HELPER),
    ],
)
def test_a_helper_of_a_submitted_cell_is_right(in_a_notebook, helper):
    assert in_a_notebook(SETUP, helper, ANSWER)[0] is Outcome.RIGHT


@pytest.mark.slow
def test_a_demonstration_in_which_only_a_comment_changed_is_not_submitted(in_a_notebook):
    changed = ("setup_1-1", None, f"{HELPER}  # mine", HELPER)
    assert in_a_notebook(SETUP, changed, ANSWER)[0] is Outcome.ERROR


@pytest.mark.slow
def test_a_helper_that_is_not_saved_yet_counts_as_the_student_s_own(in_a_notebook):
    assert in_a_notebook(SETUP, ANSWER, unsaved=[HELPER])[0] is Outcome.RIGHT


@pytest.mark.slow
def test_a_cell_that_needs_what_is_defined_only_below_it_worked_because_it_was_run_later(in_a_notebook):
    early, late = ("0a1b2c", None, "multiplied = product"), ("3d4e5f", None, "product = torch.matmul")
    outcome, said = in_a_notebook(SETUP, early, late, ANSWER, first=["import torch", late[2]])
    assert outcome is Outcome.ERROR
    assert "the cell that defines `multiplied` needs `product`, which the saved notebook defines only" in said
    assert in_a_notebook(SETUP, late, early, ANSWER)[0] is Outcome.RIGHT


def answer(body):
    cell = f"def weighted_average(values, weights):\n    return {body}\n"
    return ("weighted_average", ANSWER[1], cell)


def test_a_helper_that_is_not_saved_or_gone_is_named_under_what_is_right(in_a_notebook, capsys):
    assert in_a_notebook(SETUP, ANSWER, unsaved=[HELPER])[0] is Outcome.RIGHT
    said, note = capsys.readouterr().out.splitlines()
    assert said == "weighted_average: right"
    assert note.strip().startswith("it needs `multiplied`, which no cell of the saved notebook defines: save")


@pytest.mark.parametrize(
    ("body", "before", "after", "name"),
    [
        ("weights @ values * SCALE", "SCALE = 1.0", "SCALE = 2.0", "SCALE"),
        ("weights @ values * T[0]", "T = [1.0]", "T[0] = 2.0", "T"),
        ("weights @ values * len(T)", "T = [1.0]", "T.append(2.0)", "T"),
        ("multiplied(weights, values)", HELPER, "del multiplied", "multiplied"),
        (
            "sum(w * v for w, v in zip(weights, values))",
            "",
            "def sum(numbers):\n    return 0",
            "sum",
        ),
        ("weights @ values", "", "def weighted_average(values, weights):\n    return 0", "weighted_average"),
        ("weights @ values", "", "torch.set_default_dtype(torch.float64)", None),
        ("torch.matmul(weights, values)", "", "torch.set_default_dtype(torch.float64)", "torch"),
    ],
)
def test_a_cell_that_was_not_run_may_change_what_is_submitted(in_a_notebook, body, before, after, name):
    cells = (SETUP, ("0a1b2c", None, before), answer(body), ("3d4e5f", None, after))
    outcome, said = in_a_notebook(*cells, order=[SETUP[2], before, answer(body)[2]])
    if name is None:
        assert outcome is Outcome.RIGHT
    else:
        assert outcome is Outcome.ERROR
        assert f"a cell that defines or changes `{name}`, and it was not run here: run it" in said


def test_where_no_cell_is_remembered_none_is_said_not_to_have_run(in_a_notebook):
    """nbval runs each cell without history."""
    cells = (SETUP, ("helper", None, HELPER), ANSWER)
    assert in_a_notebook(*cells, remembered=False)[0] is Outcome.RIGHT


@pytest.mark.parametrize("scratch", ["import torch", "from torch import *", "torch.manual_seed(1)", "x = 3"])
def test_a_scratch_cell_that_was_not_run_and_changes_nothing_is_not_meant(in_a_notebook, scratch):
    mine = answer("torch.matmul(weights, values)")
    cells = (SETUP, mine, ("3d4e5f", None, scratch))
    assert in_a_notebook(*cells, order=[SETUP[2], mine[2]])[0] is Outcome.RIGHT


def test_an_older_version_of_a_cell_in_the_saved_notebook_is_not_meant(in_a_notebook):
    """The answer is written anew and run, and the notebook is not saved yet."""
    new = answer("weights @ values")[2]
    assert in_a_notebook(SETUP, answer("values[0]"), order=[SETUP[2], new])[0] is Outcome.RIGHT


@pytest.mark.parametrize(
    "cell",
    [
        "@marked\ndef weighted_average(v, w):\n    return w @ v",
        "def weighted_average(v, w, f=marked):\n    return w @ v",
    ],
)
def test_the_answers_own_cell_needs_what_is_defined_above_it(in_a_notebook, cell):
    marked = "def marked(function):\n    return function"
    below = (SETUP, ("weighted_average", ANSWER[1], cell), ("3d4e5f", None, marked))
    outcome, said = in_a_notebook(*below, order=[SETUP[2], marked, cell])
    assert outcome is Outcome.ERROR
    assert "the cell that defines `weighted_average` needs `marked`, which the saved notebook" in said
    above = (SETUP, ("3d4e5f", None, marked), ("weighted_average", ANSWER[1], cell))
    assert in_a_notebook(*above)[0] is Outcome.RIGHT


@pytest.mark.parametrize(
    ("helper", "body"),
    [
        (f"%%time\n{HELPER}", "multiplied(weights, values)"),
        ("class M:\n    def __call__(self, a, b):\n        return a @ b", "M()(weights, values)"),
        ("import operator as op", "op.matmul(weights, values)"),
        ("from torch import *", "matmul(weights, values)"),
    ],
)
def test_a_helper_in_a_cell_with_a_magic_a_class_and_an_import_are_right(in_a_notebook, helper, body):
    assert in_a_notebook(SETUP, ("0a1b2c", None, helper), answer(body))[0] is Outcome.RIGHT


def test_a_helper_in_a_table_of_functions_is_found(in_a_notebook):
    table = ("0a1b2c", None, "TABLE = {'times': lambda a, b: multiplied(a, b)}")
    demonstration = ("setup_1-1", None, HELPER)
    cells = (SETUP, demonstration, table, answer("TABLE['times'](weights, values)"))
    outcome, said = in_a_notebook(*cells)
    assert (
        outcome is Outcome.ERROR and "`multiplied`, which <lambda> needs, is defined in a cell that" in said
    )


def test_an_empty_written_answer_is_seen_in_the_saved_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)

    def saved(text):
        cell = {"cell_type": "markdown", "source": text, "metadata": {"nbgrader": {"grade_id": "why"}}}
        (tmp_path / "09_made.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
        return is_empty("why", "09_made")

    assert is_empty("why", "09_made") is None
    assert [saved(text) for text in ("", " \n", "YOUR ANSWER HERE", "**Your answer here.**")] == [True] * 4
    assert saved("Because your answer here is short.") is False


def test_a_cell_waits_for_a_prediction_in_the_saved_notebook(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert predicted("why_average") and not capsys.readouterr().out, "no file says anything"
    cell = {"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": "why_average"}}}
    file = tmp_path / f"{find('why_average').notebook}.ipynb"
    for text, written in (("YOUR ANSWER HERE", False), ("One head is enough.", True)):
        file.write_text(json.dumps({"cells": [{**cell, "source": text}]}), encoding="utf-8")
        assert predicted("why_average") is written
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "once your answer to why_average is written: save the notebook" in said
    with pytest.raises(Slip, match="why_averag"):
        predicted("why_averag")


def test_a_written_answer_is_empty_then_written_then_marked(tmp_path, monkeypatch):
    """The page that nbgrader fetches, as the course's template writes it; a dash is no mark yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    why = dataclasses.replace(find("why_average"), notebook="09_made")
    cell = {"cell_type": "markdown", "source": "", "metadata": {"nbgrader": {"grade_id": why.id}}}

    def state(text, mark=None):
        saved = {"cells": [{**cell, "source": text}]}
        (tmp_path / "09_made.ipynb").write_text(json.dumps(saved), encoding="utf-8")
        if mark is not None:
            page = tmp_path / "feedback" / "2026-11-20" / "09_made.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            other = '<h2 id="of-other">O</h2><p class="facts">1 of 1 point</p></section>'
            page.write_text(
                f'{other}<h2 id="of-{why.id}">W</h2>\n<p class="facts">{mark} of 2 points</p></section>',
                encoding="utf-8",
            )
        return exercise_row(why, Record())[1]

    assert [state(""), state("Because."), state("Because.", "–"), state("Because.", "1.5")] == [
        "empty",
        "written",
        "written",
        "marked: 1.5 of 2 points",
    ]
