"""Answers are read from files and modules as they stand there; nothing of them is run. Tried without the
sandbox, each gets the verdict that it gets in it, and spoils none after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from small_course import write_course

from autograder.answer_key import answer_source, find_checked
from autograder.course import try_answers as try_module
from autograder.course.answer_files import FileAnswer, answers_in
from autograder.course.try_answers import counted, try_answers
from autograder.grading.config import JudgeConfig
from autograder.judge.results import ExerciseResult
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import TIER
from kqa_core.check import registry
from kqa_core.errors import UserError

MODULE = '''"""Answers."""
import torch


# adds, with a comment
def right_plain(keys, a, b, beta):
    """Its own docstring."""
    return beta * (keys[a] + keys[b])  # not right_plain


def helper_of_nobody():
    raise SystemExit
'''


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_function_is_a_cell_with_the_comment_above_and_the_name_of_its_exercise(tmp_path: Path) -> None:
    text = MODULE.partition("\n\n\ndef helper")[0]
    (answer,) = answers_in(written(tmp_path, "average_two.py", text))
    assert (answer.exercise, answer.right) == ("average_two", True)
    assert answer.place == f"{tmp_path}/average_two.py::right_plain"
    assert answer.source == (
        "# adds, with a comment\n"
        "def average_two(keys, a, b, beta):\n"
        '    """Its own docstring."""\n'
        "    return beta * (keys[a] + keys[b])  # not right_plain\n"
    )


def test_a_string_is_a_cell_as_it_stands_also_one_that_does_not_parse(tmp_path: Path) -> None:
    text = '# broken\nwrong_syntax = r"""\ndef average_two(\n\\\n"""\n'
    (answer,) = answers_in(written(tmp_path, "average_two_2.py", text))
    assert (answer.exercise, answer.right) == ("average_two", False)
    assert answer.source == "# broken\ndef average_two(\n\\\n"


def test_a_class_is_a_cell_too_and_cells_share_text(tmp_path: Path) -> None:
    text = 'class right_layer(dict):\n    size = 1\n\n\nhelper = """\ndef helper(x):\n    return x\n"""\n'
    text += 'right_sum = helper + "n = 3\\n" + """\n\naverage_two = helper\n"""\n'
    first, second = answers_in(written(tmp_path, "average_two.py", text))
    assert first.source == "class average_two(dict):\n    size = 1\n"
    assert second.source == "def helper(x):\n    return x\nn = 3\n\n\naverage_two = helper\n"


def test_decorators_and_odd_line_ends_move_no_line(tmp_path: Path) -> None:
    text = '"""A page\x0cbreak and a \u2028 separator."""\n@staticmethod\ndef wrong_x():\n    pass\n'
    (answer,) = answers_in(written(tmp_path, "average_two.py", text))
    assert answer.source == "@staticmethod\ndef average_two():\n    pass\n"


def test_a_folder_holds_files_and_modules(tmp_path: Path) -> None:
    written(tmp_path, "average_two/mine.py", "average_two = 1\n")
    written(tmp_path, "copy_one.py", "def wrong_x():\n    pass\n")
    assert [(answer.exercise, answer.right) for answer in answers_in(tmp_path)] == [
        ("average_two", None),
        ("copy_one", False),
    ]


def test_an_answer_counts_as_named_if_its_outcome_is_what_its_name_says(tmp_path: Path) -> None:
    written(tmp_path, "copy_one.py", "def right_x(): pass\ndef wrong_x(): pass\n")
    written(tmp_path, "copy_one/file.py", "")
    assert [(answer.as_named("right"), answer.as_named("error")) for answer in answers_in(tmp_path)] == [
        (True, False),
        (False, True),
        (True, False),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            MODULE,
            "average_two.py, line 11: is no answer; expected functions, classes or strings named right_NAME",
        ),
        ("x = 1\n", "average_two.py, line 1: is no answer"),
        ("def f(:\n", r"average_two.py: is no Python \(.*line 1\)\); expected functions, classes"),
        ("", "holds no answers"),
    ],
)
def test_a_module_that_holds_anything_else_is_refused_with_the_line(
    tmp_path: Path, text: str, said: str
) -> None:
    written(tmp_path, "average_two.py", text)
    with pytest.raises(UserError, match=said):
        answers_in(tmp_path)


KEY = find_checked("average_all")
RIGHT = answer_source("average_all", KEY.reference)
LIMITS = Limits(call_seconds=2.0, cell_seconds=4.0, memory=256 * 2**20)
ANSWERS = {
    "right": RIGHT,
    "another way": answer_source("average_all", KEY.accepted[0]),
    "a known mistake": answer_source("average_all", KEY.rejected[0]),
    "returns nothing": "def average_all(keys):\n    pass\n",
    "does not parse": "def average_all(keys) return",
    "does not define it": "other = 1\n",
    "the stub": "def average_all(keys):\n"
    "    raise NotImplementedError('exercise average_all: replace this line with your answer')\n",
    "raises": "def average_all(keys):\n    return keys['none']\n",
    "an endless call": "def average_all(keys):\n    while True:\n        pass\n",
    "an endless cell": "import time\nwhile True:\n    time.sleep(1)\n",
    "exits": f"import os\nos._exit(0)\n{RIGHT}",
    "exits in a call": "import os\ndef average_all(keys):\n    os._exit(0)\n",
    "crashes": "import ctypes\ndef average_all(keys):\n    ctypes.string_at(0)\n",
    "fills the memory": "def average_all(keys):\n    return len([bytes([1]) * 2**26 for _ in range(64)])\n",
    "returns too much": "def average_all(keys):\n    return 'x' * 2**27\n",
    "prints a lot": f"print('x' * 10**7)\n{RIGHT}",
    "changes torch's state": "import torch\ntorch.set_default_dtype(torch.float16)\n"
    f"torch.set_grad_enabled(False)\n{RIGHT}",
    "patches sympy and the checks": "import sympy, kqa_core.check.run as run\n"
    "sympy.Basic.__eq__ = lambda *_: True\nrun.same_behaviour = lambda *_: True\n"
    "def average_all(keys):\n    return 0\n",
    "asks for the key": "import autograder.answer_key\ndef average_all(keys):\n    return 0\n",
    "right at the end": RIGHT,
}
# in a sandbox it is the first process of its namespace, which its own signals do not reach
KILLS = {
    "kills itself": "import os, signal\ndef average_all(keys):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
}


def judged(tier: str | None, course, sources: dict[str, str]) -> dict[str, tuple[object, ...]]:
    answers = [FileAnswer("average_all", name, source) for name, source in sources.items()]
    config = JudgeConfig(tier=tier, workers=1, limits=LIMITS, course=course)
    return {
        answer.place: (result.outcome, result.marks, result.sentence, result.incident, result.mistake)
        for answer, result in try_answers(answers, config)
        if isinstance(result, ExerciseResult)
    }


@pytest.fixture(scope="module")
def unconfined(tmp_path_factory):
    course = write_course(tmp_path_factory.mktemp("course") / "notebooks")
    return judged(TIER, course, KILLS | ANSWERS), course


@pytest.mark.slow
def test_each_answer_has_the_verdict_of_its_kind_and_those_after_it_are_judged(unconfined) -> None:
    results, _ = unconfined
    assert list(results) == [*KILLS, *ANSWERS]
    assert {name: result[3] for name, result in results.items() if result[3] is not None} == {
        "kills itself": "died",
        "an endless call": "time",
        "an endless cell": "time",
        "exits": "died",
        "exits in a call": "died",
        "crashes": "died",
        "fills the memory": "memory",
        "returns too much": "output",
    }
    right = {name for name, result in results.items() if result[0] == "right"}
    assert right == {
        "right",
        "another way",
        "prints a lot",
        "changes torch's state",
        "right at the end",
    }
    assert results["a known mistake"][4] == KEY.rejected[0].__name__


@pytest.mark.nightly
def test_the_sandbox_gives_the_same_verdicts(unconfined) -> None:
    results, course = unconfined
    assert judged(None, course, ANSWERS) == {name: results[name] for name in ANSWERS}


def test_the_count_says_how_many_a_second_and_how_long_it_takes(capsys) -> None:
    numbers: Sequence[int] = range(10)
    assert list(counted(numbers, 10)) == list(numbers)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [f"judged {count} of 10" for count in (2, 4, 6, 8, 10)]
    assert all("a second" in line for line in lines) and lines[0].endswith(" left")


def test_an_empty_batch_counts_nothing(capsys) -> None:
    assert list(counted([], 0)) == [] and capsys.readouterr().err == ""


@pytest.mark.parametrize("fails", [False, True])
def test_an_exercise_is_imported_here_only_to_tell_a_mistake_in_its_file(monkeypatch, fails) -> None:
    """The command would import torch for it, while the workers wait."""

    def judge(tasks, config):
        yield from ((task, InfrastructureError("failed") if fails else "judged") for task in tasks)

    def find(name):
        raise UserError(f"{name}.py, line 3: correct it")

    monkeypatch.setattr(try_module, "run_tasks", judge)
    monkeypatch.setattr(registry, "find", find)
    results = try_answers([FileAnswer("average_all", "a.py", RIGHT)], JudgeConfig(tier=TIER))
    if fails:
        with pytest.raises(UserError, match="line 3: correct it"):
            list(results)
    else:
        assert [result for _, result in results] == ["judged"]
