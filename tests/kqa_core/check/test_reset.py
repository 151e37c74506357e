"""Reset: the cell as it was handed out, what was written kept aside, nothing lost, and nothing half-done."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from kqa_core.check import reset
from kqa_core.check.api import Slip
from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import ProgressStore, Record
from kqa_core.check.reset_answer import HANDED_OUT, reset_exercise
from kqa_core.errors import UserError

NAME = "01_attention_as_a_lookup"
STUB = "def copy_one(keys):\n    given = 1\n    raise NotImplementedError('β')"
MINE = "def copy_one(keys):\n    return 'mine, with β and \\n'"


def marked(cell, name, grade=False):
    cell.metadata["nbgrader"] = {"grade_id": name, "solution": not grade, "grade": grade}
    return cell


def notebook(code, words):
    """A notebook as it was handed out, with these answers in it."""
    right = [new_output("stream", text="copy_one: right")]
    cells = [
        new_markdown_cell("# A title"),
        marked(new_code_cell(code, outputs=right, execution_count=3), "copy_one"),
        marked(
            new_code_cell('check("copy_one", copy_one)', outputs=right, execution_count=4),
            "check_copy_one",
            grade=True,
        ),
        marked(new_markdown_cell(words), "why_select"),
        new_code_cell("mine = 1", outputs=right, execution_count=5),
    ]
    cells[1].metadata[HANDED_OUT], cells[3].metadata[HANDED_OUT] = STUB, "YOUR ANSWER HERE"
    return new_notebook(cells=cells)


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A working copy in which two exercises are answered; its folder."""
    monkeypatch.delenv("KQA_FOLDER", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    (tmp_path / NAME).mkdir()
    nbformat.write(notebook(MINE, "Because."), tmp_path / NAME / f"{NAME}.ipynb")
    store = ProgressStore(tmp_path / ".kqa")
    store.note_check("copy_one", Outcome.RIGHT)
    store.take_hint("copy_one", 3)
    store.note_check("average_two", Outcome.NOT_YET)
    monkeypatch.chdir(tmp_path / NAME)
    return tmp_path


def mine(folder):
    return nbformat.read(folder / NAME / f"{NAME}.ipynb", as_version=4).cells


def test_the_cell_is_as_handed_out_and_what_was_written_is_kept(copy, capsys):
    before = mine(copy)
    reset("copy_one")
    after = mine(copy)
    assert (
        after[1].source == STUB
        and after[1].outputs == after[2].outputs == []
        and after[2].execution_count is None
    )
    assert after[0] == before[0] and after[3:] == before[3:], "nothing else is touched"
    assert (copy / ".kqa/kept/copy_one-1.py").read_text(encoding="utf-8") == MINE + "\n"
    said = capsys.readouterr().out
    assert (
        "what you had written is kept in ../.kqa/kept/copy_one-1.py" in said
        and "Reload Notebook from Disk" in said
    )


def test_its_record_is_unattempted_again_and_no_other_is_touched(copy):
    reset("copy_one")
    assert ProgressStore().read() == {
        "copy_one": Record(),
        "average_two": Record(Outcome.NOT_YET, Outcome.NOT_YET, 1),
    }


def test_what_is_kept_is_never_overwritten_and_a_stub_is_not_kept(copy):
    for text in (MINE, MINE.replace("mine", "another")):
        cells = mine(copy)
        cells[1].source = text
        nbformat.write(new_notebook(cells=cells), copy / NAME / f"{NAME}.ipynb")
        reset("copy_one")
    reset("copy_one")  # the stub
    kept = sorted((copy / ".kqa/kept").iterdir())
    assert [path.name for path in kept] == ["copy_one-1.py", "copy_one-2.py"] and "another" in kept[
        1
    ].read_text(encoding="utf-8")


def test_a_cell_that_was_copied_is_reset_in_every_place_and_each_text_kept(copy):
    cells = mine(copy)
    cells.append(marked(new_code_cell("second = 2"), "copy_one"))
    nbformat.write(new_notebook(cells=cells), copy / NAME / f"{NAME}.ipynb")
    reset("copy_one")
    assert [
        cell.source for cell in mine(copy) if cell.metadata.get("nbgrader", {}).get("grade_id") == "copy_one"
    ] == [STUB] * 2
    assert (copy / ".kqa/kept/copy_one-2.py").read_text(encoding="utf-8") == "second = 2\n"


def test_a_written_answer_can_be_started_again_too(copy):
    reset("why_select")
    assert mine(copy)[3].source == "YOUR ANSWER HERE"
    assert (copy / ".kqa/kept/why_select-1.md").read_text(encoding="utf-8") == "Because.\n"


def test_the_file_stays_as_jupyter_writes_it(copy):
    reset("copy_one")
    text = (copy / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert (
        "β" in text
        and text.endswith("}\n")
        and text == json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
    )


def spoil(folder, how):
    own = folder / NAME / f"{NAME}.ipynb"
    if how == "no notebook":
        own.unlink()
    elif how == "damaged":
        own.write_text("{")
    elif how == "no cells":
        own.write_text('{"cells": 3}')
    elif how == "deleted":
        nbformat.write(new_notebook(cells=mine(folder)[2:]), own)
    elif how == "no original":
        cells = mine(folder)
        del cells[1].metadata[HANDED_OUT]
        nbformat.write(new_notebook(cells=cells), own)
    elif how == "nowhere to keep":
        (folder / ".kqa/kept").write_text("in the way")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("no notebook", f"{NAME}.ipynb, which holds copy_one, is not in"),
        ("damaged", "is not a notebook as Jupyter saves it"),
        ("no cells", "is not a notebook as Jupyter saves it"),
        ("deleted", "has no cell for copy_one any more"),
        ("no original", "does not hold its original text"),
        ("nowhere to keep", "cannot be kept"),
    ],
)
def test_what_does_not_fit_is_one_line_and_changes_nothing(copy, how, said):
    spoil(copy, how)
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    with pytest.raises(UserError, match=said) as stopped:
        reset_exercise("copy_one")
    assert "\n" not in str(stopped.value)
    assert {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["copy_on", 3, lambda: None])
def test_a_slip_in_the_call_is_one_line(copy, name):
    with pytest.raises(Slip):
        reset(name)


def test_at_a_prompt(copy, kqa_in_process, monkeypatch):
    monkeypatch.chdir(copy)
    status, printed = kqa_in_process("reset", "copy_one")
    assert status == 0 and "copy_one: unattempted again" in printed.out and mine(copy)[1].source == STUB
    status, printed = kqa_in_process("reset", "copy_on")
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert "did you mean copy_one" in printed.err
