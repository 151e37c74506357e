"""`kqa check NOTEBOOK.ipynb`: the visible checks of a saved notebook."""

from __future__ import annotations

import json

import pytest

from kqa_core.check.exercise import Outcome
from kqa_core.check.notebook_file import check_file, read_cells
from kqa_core.check.progress_store import ProgressStore
from kqa_core.errors import UserError

pytestmark = pytest.mark.slow


def code(source, **marks):
    return {
        "cell_type": "code",
        "source": source,
        "metadata": {"nbgrader": marks} if marks else {},
        "outputs": [],
    }


CHECK = 'check("weighted_average", weighted_average)'
STUB = 'raise NotImplementedError("exercise weighted_average: replace this line with your answer")'


def notebook(tmp_path, answer, *more):
    cells = [
        code("import torch", grade_id="setup_1", locked=True, solution=False, grade=False),
        code(answer, grade_id="weighted_average", locked=False, solution=True, grade=False),
        code(CHECK, grade_id="check_weighted_average", locked=True, solution=False, grade=True),
        *more,
    ]
    path = tmp_path / "00_start_here.ipynb"
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8"
    )
    return path


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path / "kept"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


RIGHT = (
    "def weighted_average(values, weights):\n"
    "    print('flood' * 1000)\n"
    "    return torch.einsum('n,nd->d', weights, values)\n"
)


@pytest.mark.parametrize(
    ("answer", "outcome", "said"),
    [
        (RIGHT, Outcome.RIGHT, "right"),
        (
            "def weighted_average(values, weights):\n    return values.mean(dim=0)\n",
            Outcome.NOT_YET,
            "yours is [2.6667, 2.0]",
        ),
        (
            "def weighted_average(values, weights)\n    return 1\n",
            Outcome.ERROR,
            "its cell stops with SyntaxError",
        ),
        ("raise ValueError('no')", Outcome.ERROR, "its cell stops with ValueError: no"),
        (
            "def weihgted_average(values, weights):\n    return 1\n",
            Outcome.ERROR,
            "defines no function weighted_average",
        ),
        ("import os\nos._exit(3)", Outcome.ERROR, "ended before this check"),
        (f"def weighted_average(values, weights):\n    {STUB}\n", Outcome.UNATTEMPTED, "not attempted"),
    ],
)
def test_each_outcome_reaches_the_command(tmp_path, answer, outcome, said):
    [(exercise, verdict, _)] = list(check_file(notebook(tmp_path, answer), seconds=60))
    assert exercise.id == "weighted_average"
    assert verdict.outcome is outcome
    assert said in verdict.sentence


def test_the_students_own_line_is_told(tmp_path):
    path = notebook(tmp_path, "def weighted_average(values, weights):\n    return wieghts @ values\n")
    [(_, verdict, detail)] = list(check_file(path, seconds=60))
    assert verdict.outcome is Outcome.ERROR
    assert (
        detail is not None
        and detail.strip() == "in weighted_average, line 2 of its cell: return wieghts @ values"
    )


@pytest.mark.parametrize(
    "answer", ["while True: pass", "def weighted_average(values, weights):\n    while True: pass\n"]
)
def test_an_endless_loop_ends(tmp_path, answer):
    [(_, verdict, _)] = list(check_file(notebook(tmp_path, answer), seconds=3))
    assert (verdict.outcome, verdict.incident) == (Outcome.ERROR, "time")


def test_demonstrations_are_not_run(tmp_path):
    path = notebook(tmp_path, RIGHT, code("import os\nos._exit(1)"))
    [(_, verdict, _)] = list(check_file(path, seconds=60))
    assert verdict.outcome is Outcome.RIGHT


def test_the_result_counts_as_progress(tmp_path):
    list(check_file(notebook(tmp_path, RIGHT), seconds=60))
    assert ProgressStore(tmp_path / "kept").read()["weighted_average"].best is Outcome.RIGHT


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        (b"not json", "is not a notebook"),
        (b"\xff\xfe{}", "is not a notebook"),
        (b"[]", "is not a notebook"),
        (b'{"cells": [{}]}', "is not a notebook"),
        (b'{"cells": []}', "no exercise of this course"),
    ],
)
def test_what_is_no_notebook_of_the_course_is_one_line(tmp_path, content, said):
    path = tmp_path / "x.ipynb"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        read_cells(path)
