"""The visible checks of a saved notebook: `kqa check FILE`."""

from __future__ import annotations

import json
import sys
from contextlib import closing, redirect_stdout

import pytest

from autograder.judge.verdict import JudgeContext, judge
from autograder.paths import COURSE
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import UnconfinedLauncher
from autograder.submissions.cells import parse_cells
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import load_skeleton
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
        "because the solution cell stopped with a SyntaxError: expected ':'",
    ),
    "select_first": (
        "raise ValueError('no')",
        Outcome.ERROR,
        "select_first is not defined, because the solution cell stopped with a ValueError: no",
    ),
    "average_two": (
        "def avreage_two(keys, i, j, beta):\n    return 1\n",
        Outcome.ERROR,
        "no function of this name is defined",
    ),
    "best_query": (f"def best_query(*_):\n    {NOT_DONE}\n", Outcome.UNATTEMPTED, "not attempted"),
    "average_first_two": (
        "def average_first_two(K):\n    return K[0] + keys[1]\n",
        Outcome.ERROR,
        "NameError",
    ),
    "identity_map": (
        "import torch\ndef identity_map(K):\n"
        "    ones = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)\n"
        "    return torch.linalg.solve(ones, 20 * torch.eye(4, dtype=K.dtype))[:3].T\n\nprint(1 / 0)",
        Outcome.RIGHT,
        "each query selects its own key",
    ),
    "exact_logits": (" \n", Outcome.UNATTEMPTED, "not attempted"),
    "rekey_unit_select": (
        "def rekey_unit_select(K, q):\n    import os\n    os._exit(1)\n",
        Outcome.ERROR,
        "the process that ran your code ended before your code returned",
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
    path = folder / "01_attention_as_a_lookup.ipynb"
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


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What the grader's judge says of the same file, by exercise, without the sandbox."""
    name = "01_attention_as_a_lookup"
    answers = {each: answer for each, (answer, _, _) in CASES.items()}
    path = notebook(tmp_path_factory.mktemp("graded"), answers, code("import os\nos._exit(1)"))
    # a runner is a fork, in which pytest's own file for what is printed is closed
    with redirect_stdout(sys.__stdout__), closing(UnconfinedLauncher(Limits())) as launcher:
        skeleton = load_skeleton(COURSE / "source" / name / f"{name}.ipynb")
        submitted = graft(skeleton, parse_cells(path.read_bytes()))
        results = judge(submitted, "ann", JudgeContext(bytes(32), launcher, Limits()))
    return {each.exercise: each for each in results if each.exercise in CASES}


@pytest.mark.parametrize("name", CASES)
def test_each_outcome_reaches_the_command(checked, name):
    _, outcome, said = CASES[name]
    verdict, _ = checked[name]
    assert verdict.outcome is outcome
    assert said in verdict.sentence


def test_the_exercises_are_judged_in_their_order(checked):
    assert list(checked) == list(CASES)


def test_the_grader_says_of_the_file_what_its_visible_part_said_here(checked, judged):
    """Of right and wrong answers and of those that stop the outcome is the same; of what stops before any
    check, the sentence, too.
    """
    assert len(judged) == len(CASES) - 1  # weighted_average belongs to another notebook
    for name in judged:
        verdict, _ = checked[name]
        assert judged[name].outcome == verdict.outcome, name
        if verdict.outcome in (Outcome.ERROR, Outcome.UNATTEMPTED):
            assert judged[name].sentence.startswith(verdict.sentence), name


def test_what_does_not_end_or_ends_the_process_costs_only_its_own_exercise(tmp_path):
    average_all = "def average_all(K):\n    return 0 * K[0]\n"
    answers = {
        "select_first": "import os\nos._exit(3)",
        "average_two": "while True: time.sleep(1)",
        "copy_one": "def copy_one(keys, j, beta):\n    while True: time.sleep(1)\n",
        "average_all": average_all,
    }
    said = {each.id: verdict for each, verdict, _ in check_file(notebook(tmp_path, answers), seconds=5)}
    assert {name: (verdict.outcome, verdict.incident) for name, verdict in said.items()} == {
        "select_first": (Outcome.ERROR, "died"),
        "average_two": (Outcome.ERROR, "time"),
        "copy_one": (Outcome.ERROR, "time"),
        "average_all": (Outcome.RIGHT, None),
    }


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
    assert [each for each in found if each[1]] == [each for each in whole if each[1]] and len(answers) == 7
    if lost != "metadata and ids":
        assert found == whole


def test_a_cell_of_the_course_that_defines_a_name_of_another_notebooks_exercise_is_no_answer(tmp_path):
    """A cell of notebook 04 defines `train`, the name of an exercise of notebook 07."""
    path = notebook(tmp_path, {"attention_scores": "def attention_scores(q, k):\n    return 0\n"})
    content = json.loads(path.read_text())
    shown = code("def train(steps):\n    return steps\n") | {"id": "attention_scores-1", "metadata": {}}
    content["cells"].append(shown)
    path.write_text(json.dumps(content))
    assert [exercise.id for _, exercise in read_cells(path) if exercise] == ["attention_scores"]
    shown["id"] = "1f2e3d4c"  # a cell of the student's own
    path.write_text(json.dumps(content))
    assert "train" in [exercise.id for _, exercise in read_cells(path) if exercise]
