"""Outputs that would not be the same on the next machine are refused; what is only clutter is dropped."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.build.execute import WIDGET_VIEW, execute, settle, unstable

VIEW = {WIDGET_VIEW: {"model_id": "3f"}, "text/plain": "IntSlider(value=0)"}
STILL = {**VIEW, "image/png": "iVBORw0KGgo="}
GRADED = {"nbgrader": {"grade": True}}


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def notebook(*outputs, **metadata):
    return new_notebook(cells=[new_code_cell("1", id="it", outputs=list(outputs), metadata=metadata)])


@pytest.mark.parametrize(
    ("output", "metadata", "said"),
    [
        (stream("careful", "stderr"), {}, "writes to stderr, 'careful'"),
        (stream(f"in {sys.prefix}/lib"), {}, "shows a path of this machine"),
        (stream(str(Path(__file__).parents[3] / "data")), {}, "shows a path of this machine"),
        (
            stream(f"{tempfile.gettempdir()}/x"),
            {"tags": ["nbval-ignore-output"]},
            "shows a path of this machine",
        ),
        (
            new_output("execute_result", data={"text/plain": "<object at 0x7f8620ee1ad0>"}),
            {},
            "shows an object's address",
        ),
        (new_output("display_data", data=VIEW), {}, "shows a widget without a still"),
        (
            new_output("error", ename="NotRight", evalue="f: not yet: no", traceback=[]),
            GRADED,
            "fails with the reference in place: f: not",
        ),
    ],
)
def test_what_would_differ_elsewhere_is_refused_by_cell(output, metadata, said):
    [complaint] = unstable(notebook(output, **metadata))
    assert complaint.startswith(f"cell it {said}")


@pytest.mark.parametrize(
    ("output", "metadata"),
    [
        (stream("right"), GRADED),
        (new_output("display_data", data=STILL), {}),
        (stream("<object at 0x7f8620ee1ad0>"), {"tags": ["nbval-ignore-output"]}),
        (
            new_output("error", ename="NotRight", evalue="f: not yet: no", traceback=["f: not yet: no"]),
            {"tags": ["raises-exception"]},
        ),
    ],
)
def test_what_is_the_same_everywhere_is_kept(output, metadata):
    assert unstable(notebook(output, **metadata)) == []


def test_a_widget_leaves_its_still_and_no_state():
    made = notebook(new_output("display_data", data=STILL), execution={"iopub.status.idle": "now"})
    made.metadata.update(widgets={"state": {}}, language_info={"name": "python", "version": "3.11.7"})
    settle(made)
    assert set(made.cells[0].outputs[0].data) == {"image/png", "text/plain"}
    assert "execution" not in made.cells[0].metadata
    assert "widgets" not in made.metadata and "version" not in made.metadata.language_info


@pytest.mark.slow
def test_what_a_notebook_keeps_in_runs_is_not_there_when_it_is_built_again(tmp_path):
    code = "from kqa_core.text.packaged import runs\nkept = runs('here') / 'kept'\n"
    code += "print(kept.exists())\nkept.touch()\nprint(kept.exists())"
    for _ in range(2):
        made = new_notebook(cells=[new_code_cell(code)])
        execute(made, tmp_path)
        assert made.cells[0].outputs[0].text.split() == ["False", "True"]
