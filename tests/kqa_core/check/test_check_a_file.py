"""A saved notebook: its visible checks (`kqa check FILE`), and its answers in a later notebook (`kept`)."""

from __future__ import annotations

import json
import random
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.answer_key import answer_source, find_checked
from autograder.judge.verdict import JudgeContext, judge
from autograder.paths import COURSE
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import UnconfinedLauncher
from autograder.submissions.cells import parse_cells
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import load_skeleton
from kqa_core.check import saved_answers
from kqa_core.check.exercise import Outcome
from kqa_core.check.notebook_file import check_file, read_cells
from kqa_core.check.progress_store import ProgressStore
from kqa_core.errors import UserError
from kqa_core.exercise_helpers.kept_classes import LibraryBlock, LibraryGPT, kept_classes
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT

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


NAME = "weighted_average"
AVERAGED = f"def {NAME}(values, weights):\n    return averaged(values, weights)\n"
HELPER = "print('loud')\n\ndef averaged(values, weights):\n    return weights @ values\n"


def answer(name: str, source: str) -> dict[str, Any]:
    return code(source, grade_id=name, locked=False, solution=True, grade=False)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder beside which the notebook is that runs; it holds nothing yet."""
    (tmp_path / "later").mkdir()
    monkeypatch.chdir(tmp_path / "later")
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return tmp_path


def save(folder: Path, notebook: str, *cells: dict[str, Any], setup: str = "import torch") -> None:
    first = code(setup, grade_id="setup_1", locked=True, solution=False, grade=False)
    path = folder / notebook / f"{notebook}.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps({"cells": [first, *cells]}), encoding="utf-8")


def test_a_right_answer_comes_with_what_it_needs_and_nothing_else_runs(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(
        beside,
        "00_start_here",
        code("open('ran', 'w').close()\naverages = [1]\n"),
        code(HELPER),
        answer(NAME, AVERAGED),
        answer("not_this_one", "raise SystemExit"),
    )
    before = random.getstate(), torch.get_rng_state()
    average = saved_answers.kept(NAME, None)
    assert callable(average)
    assert average(torch.eye(2), torch.tensor([0.25, 0.75])).tolist() == [0.25, 0.75]
    assert capsys.readouterr().out == ""
    assert not Path("ran").exists()
    assert random.getstate() == before[0] and torch.equal(torch.get_rng_state(), before[1])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            f'def {NAME}(v, w):\n    raise NotImplementedError("exercise {NAME}: replace this line with your'
            ' answer")\n',
            "it is not written yet in 00_start_here",
        ),
        (f"def {NAME}(values, weights):\n    return values.mean(dim=0)\n", "it is not right yet in 00_start"),
        (f"def {NAME}(values, weights)\n    return 1\n", "its cell stops with SyntaxError"),
        ("raise ValueError('no')\n", "its cell stops with ValueError: no"),
        (f"{NAME} = 3\n", f"its cell defines no {NAME}"),
    ],
)
def test_an_answer_that_cannot_be_used_gives_one_line_and_the_other_value(
    beside: Path, capsys: pytest.CaptureFixture[str], source: str, said: str
) -> None:
    save(beside, "00_start_here", answer(NAME, source))
    assert saved_answers.kept(NAME, len) is len
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{NAME}: {said}") and line.endswith("; the library's is used here")


def test_a_notebook_that_is_not_there_or_is_none_is_said_in_one_line(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert saved_answers.kept(NAME, len) is len
    assert "there is no 00_start_here.ipynb beside this notebook" in capsys.readouterr().out
    save(beside, "00_start_here", answer("another", "x = 1"))
    assert saved_answers.kept(NAME, len) is len
    assert "has no cell for it; fetch the notebook again" in capsys.readouterr().out
    (beside / "00_start_here" / "00_start_here.ipynb").write_text("no JSON")
    assert saved_answers.kept(NAME, len) is len
    assert "cannot be read; save the notebook with Jupyter" in capsys.readouterr().out
    assert saved_answers.kept("no_such_exercise", len) is len
    assert "its notebook is not beside this one" in capsys.readouterr().out


CONFIG = GPTConfig(11, 7, n_layer=2, n_head=2, d_model=8)
TOKENS = torch.randint(11, (3, 5), generator=torch.Generator().manual_seed(1))


def logits_of(model: torch.nn.Module) -> torch.Tensor:
    """The logits with the weights of a library model that are far from its starting values."""
    torch.manual_seed(3)
    weights = {name: torch.randn_like(weight) for name, weight in GPT(CONFIG).state_dict().items()}
    model.load_state_dict(weights)
    with torch.no_grad():
        out = model.eval()(TOKENS)
    return out[0] if isinstance(out, tuple) else out


def test_the_librarys_classes_with_replaceable_parts_are_the_librarys_model() -> None:
    wanted = logits_of(GPT(CONFIG))
    own = LibraryGPT(CONFIG, lambda config: LibraryBlock(config, CausalSelfAttention))
    assert torch.equal(logits_of(own), wanted)
    assert torch.equal(logits_of(LibraryGPT(CONFIG, Block)), wanted)
    fresh = LibraryGPT(CONFIG, Block).state_dict()
    assert fresh["blocks.1.mlp.0.weight"].std() < 0.03  # the starting values of the library


def test_the_classes_of_notebook_04_are_the_librarys_model_too(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("MyAttention", "MyBlock", "MyGPT")
    answers = [answer(name, answer_source(name, find_checked(name).reference)) for name in names]
    setup = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn"
    save(beside, "04_build_a_transformer", *answers, setup=setup)
    attention, block, model = kept_classes()
    assert capsys.readouterr().out == ""
    assert (attention.__name__, block.__name__, model.__name__) == names
    assert not issubclass(model, GPT)
    own = model(CONFIG, lambda config: block(config, attention))
    assert torch.allclose(logits_of(own), logits_of(GPT(CONFIG)), atol=1e-4)
