"""Without the sandbox, an answer gets the verdict that it gets in it, and spoils none after it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from small_course import write_course

from autograder.answer_key import answer_source, find_checked
from autograder.course.answer_files import FileAnswer
from autograder.course.try_answers import counted, try_answers
from autograder.grading.config import JudgeConfig
from autograder.judge.results import ExerciseResult
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import TIER

pytestmark = pytest.mark.slow
KEY = find_checked("average_all")
RIGHT = answer_source("average_all", KEY.reference)
LIMITS = Limits(call_seconds=4.0, cell_seconds=8.0, memory=256 * 2**20)
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
