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


NOT_DONE = 'raise NotImplementedError("exercise best_query: replace this line with your answer")'
RIGHT = "def copy_one(keys, j, beta):\n    print('flood' * 1000)\n    return beta * keys[j]\n"
# one answer to each exercise: they are judged in one process, one after the other
CASES = {
    "copy_one": (RIGHT, Outcome.RIGHT, "all the weight goes to key j"),
    "weighted_average": (
        "def weighted_average(values, weights):\n    return values.mean(dim=0)\n",
        Outcome.NOT_YET,
        "yours is [2.6667, 2.0]",
    ),
    "average_all": (
        "def average_all(K)\n    return 1\n",
        Outcome.ERROR,
        "its cell stops with SyntaxError",
    ),
    "select_first": ("raise ValueError('no')", Outcome.ERROR, "its cell stops with ValueError: no"),
    "average_two": (
        "def avreage_two(keys, i, j, beta):\n    return 1\n",
        Outcome.ERROR,
        "defines no function average_two",
    ),
    "best_query": (f"def best_query(*_):\n    {NOT_DONE}\n", Outcome.UNATTEMPTED, "not attempted"),
    "average_first_two": (
        "def average_first_two(K):\n    return K[0] + keys[1]\n",
        Outcome.ERROR,
        "NameError",
    ),
}


def notebook(folder, answers, *more):
    cells = [
        code("import time", grade_id="setup_1", locked=True, solution=False, grade=False),
        *(
            code(answer, grade_id=name, locked=False, solution=True, grade=False)
            for name, answer in answers.items()
        ),
        *(
            code(
                f'check("{name}", {name})', grade_id=f"check_{name}", locked=True, solution=False, grade=True
            )
            for name in answers
        ),
        *more,
    ]
    path = folder / "01.ipynb"
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8"
    )
    return path


@pytest.fixture(autouse=True, scope="module")
def kept(tmp_path_factory):
    """Where progress is kept."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KQA_FOLDER", str(folder))
        patch.delenv("NBGRADER_EXECUTION", raising=False)
        yield folder


@pytest.fixture(scope="module")
def checked(tmp_path_factory, kept):
    """Verdict and detail by exercise, of a notebook that ends with a cell which would stop its process."""
    answers = {name: answer for name, (answer, _, _) in CASES.items()}
    path = notebook(tmp_path_factory.mktemp("answers"), answers, code("import os\nos._exit(1)"))
    return {exercise.id: (verdict, detail) for exercise, verdict, detail in check_file(path, seconds=60)}


@pytest.mark.parametrize("name", CASES)
def test_each_outcome_reaches_the_command(checked, name):
    _, outcome, said = CASES[name]
    verdict, _ = checked[name]
    assert verdict.outcome is outcome
    assert said in verdict.sentence


def test_the_exercises_are_judged_in_their_order(checked):
    assert list(checked) == list(CASES)


def test_the_students_own_line_is_told(checked):
    _, detail = checked["average_first_two"]
    assert detail is not None
    line, call = detail.strip().splitlines()
    assert line == "in average_first_two, line 2 of its cell: return K[0] + keys[1]"
    assert call.strip() == "in the call average_first_two(tensor of shape (4, 3))"


def test_the_results_count_as_progress(checked, kept):
    progress = ProgressStore(kept).read()
    assert {name: progress[name].best for name in ("copy_one", "weighted_average")} == {
        "copy_one": Outcome.RIGHT,
        "weighted_average": Outcome.NOT_YET,
    }


def only(path, seconds):
    """The verdict of the only exercise in a notebook."""
    [(_, verdict, _)] = list(check_file(path, seconds))
    return verdict


def test_a_cell_that_ends_the_process_is_told(tmp_path):
    verdict = only(notebook(tmp_path, {"copy_one": "import os\nos._exit(3)"}), seconds=60)
    assert verdict.outcome is Outcome.ERROR and "ended before this check" in verdict.sentence


@pytest.mark.parametrize("before", ["", "def copy_one(keys, j, beta):\n    "])
def test_an_endless_loop_ends(tmp_path, before):
    verdict = only(notebook(tmp_path, {"copy_one": f"{before}while True: time.sleep(1)\n"}), seconds=3)
    assert (verdict.outcome, verdict.incident) == (Outcome.ERROR, "time")


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


LOST = {
    "metadata": lambda cell, name: cell.update(metadata={}, id=name),
    "metadata and ids": lambda cell, name: cell.update(metadata={}, id="1f2e3d4c"),
    "ids": lambda cell, name: cell.update(id="1f2e3d4c"),
}


@pytest.mark.parametrize("lost", LOST)
def test_a_file_that_a_program_saved_without_metadata_has_the_same_cells(tmp_path, lost):
    """VS Code once dropped the metadata, other programs drop the ids too."""
    answers = {name: source for name, (source, *_) in CASES.items() if f"def {name}(" in source}
    path = notebook(tmp_path, answers)
    whole = read_cells(path)
    content = json.loads(path.read_text())
    for cell in content["cells"]:
        LOST[lost](cell, cell["metadata"]["nbgrader"]["grade_id"])
    path.write_text(json.dumps(content))
    found = read_cells(path)
    assert [each for each in found if each[1]] == [each for each in whole if each[1]] and len(answers) == 5
    if lost != "metadata and ids":
        assert found == whole
