"""What the judge's tests share: a fork server, an empty gradebook,
and a way to judge a submission of the tiny course.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from recorded import RUBRIC
from tiny_course import EXERCISES, KEY, KEYS, LIMITS, SKELETON
from workers_stand_in import WorkersStandIn

from autograder.gradebook import feedback
from autograder.gradebook.gradebook import open_gradebook
from autograder.judge import verdict
from autograder.judge.results import ExerciseResult
from autograder.judge.verdict import JudgeContext, judge
from autograder.sandbox import launcher as launcher_module
from autograder.sandbox.launcher import ForkServerLauncher
from autograder.sandbox.tiers import Bubblewrap, problem_with
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.merge import graft
from kqa_core.check.exercise import Check


@pytest.fixture(scope="session")
def judge_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where fork servers keep their files. Skips where there is no sandbox."""
    problem = problem_with("bubblewrap")
    if problem is not None:
        pytest.skip(problem)
    return tmp_path_factory.mktemp("judge")


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork server imports none of a course's packages, which takes it two seconds."""
    monkeypatch.setattr(launcher_module, "read_course", lambda: SimpleNamespace(packages=()))


@pytest.fixture
def launch(judge_folder: Path, without_packages: None) -> Callable[[], ForkServerLauncher]:
    """Start a fork server in the default sandbox, without packages; whoever asks closes it."""
    return lambda: ForkServerLauncher(Bubblewrap(), LIMITS, judge_folder)


@pytest.fixture(scope="session")
def launcher(judge_folder: Path) -> Iterator[ForkServerLauncher]:
    made = ForkServerLauncher(Bubblewrap(), LIMITS, judge_folder)
    yield made
    made.close()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook: nbgrader takes seconds to make one."""
    folder = tmp_path_factory.mktemp("empty")
    open_gradebook(folder).close()
    return folder / "gradebook.db"


@pytest.fixture
def course(tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course folder with an empty gradebook, where feedback knows the tiny course's keys."""
    shutil.copy(empty, tmp_path)
    monkeypatch.setattr(feedback, "find_key", {**KEYS, "why": RUBRIC}.__getitem__)
    monkeypatch.setattr(feedback, "find", EXERCISES.__getitem__)
    return tmp_path


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> WorkersStandIn:
    """A stand-in for the workers, which answers as told."""
    return WorkersStandIn.instead_of_workers(monkeypatch)


@pytest.fixture
def judged(
    launcher: ForkServerLauncher, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, ExerciseResult]]:
    """Judge a submission of the tiny course: results by exercise."""
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)

    def run(
        cells: tuple[SubmittedCell, ...], student: str = "ann", **limits: float
    ) -> dict[str, ExerciseResult]:
        grafted = graft(SKELETON, cells)
        context = JudgeContext(KEY, launcher, replace(LIMITS, **limits))  # type: ignore[arg-type]
        return {each.exercise: each for each in judge(grafted, student, context)}

    return run


@pytest.fixture
def with_check() -> Iterator[Callable[[str, Check], None]]:
    """Give an exercise of the tiny course another visible check, for one test."""
    kept = {name: exercise.check for name, exercise in EXERCISES.items()}
    yield lambda name, check: object.__setattr__(EXERCISES[name], "check", check)
    for name, check in kept.items():
        object.__setattr__(EXERCISES[name], "check", check)
