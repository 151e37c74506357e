"""`kqa course run`, and for this repository's course `make course`: from the proof to the report.

1. the proof: every accepted answer passes, every rejected one fails with its own sentence, the untouched copy
   scores 0;
2. the sample class, judged and recorded in a gradebook of its own: `runs/sample_course`, so no real class is
   touched;
3. the course's own job, if its `course.toml` names one, such as training the course's models;
4. the HTML report on the sample class.

It stops at the first step that fails, names it, and ends with status 1.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from autograder.build.build import build
from autograder.course.grade import grade
from autograder.course.grading_progress import Progress
from autograder.course.prove import prove, recommended
from autograder.course.publisher import Graded
from autograder.course.tables import class_table, listed, proof_table, show
from autograder.grading.config import Events, GradingConfig, JudgeConfig
from autograder.judge.canaries import CanaryDeviates
from autograder.paths import course_folder, read_course
from kqa_core.check.course_paths import SETTINGS
from kqa_core.errors import UserError


def run(config: JudgeConfig, retrain: bool = False) -> int:
    """Run all steps; returns the exit status. `retrain` trains also where a finished run exists."""
    start = time.monotonic()
    for step in (
        _built,
        lambda: proved(config),
        lambda: _sample_graded(config),
        lambda: _own_job(retrain),
        _reported,
    ):
        if not step():
            return 1
        print(flush=True)
    print(f"done in {(time.monotonic() - start) / 60:.1f} minutes")
    return 0


def _built() -> bool:
    result = build()
    executed = [name for name, was_executed in result.sources.items() if was_executed]
    print(
        f"notebooks: {len(result.sources)} built ({len(executed)} executed anew); student bundle:"
        f" {_shown(result.bundle)}"
    )
    return listed("LEAK", result.leaks)


def proved(config: JudgeConfig, notebooks: Sequence[str] = ()) -> bool:
    """Prove these notebooks (all, if none is named) and print the proof; whether it holds."""
    with tqdm(desc="prove", unit="answer", disable=None, leave=False) as bar:
        proof = prove(notebooks, config, Events(bar.reset, lambda name: bar.update()))
    show(proof_table(proof))
    if (line := recommended(proof)) is not None:
        print(line)
    listed("WEAK", proof.weak)
    listed("DEVIATION", proof.deviations)
    listed("LEAK", proof.leaks)
    return proof.holds


def graded(config: GradingConfig) -> Graded | None:
    """Grade, show the progress, print the table. None if a known answer got a wrong verdict."""
    with Progress() as progress:
        try:
            result = grade(config, Events(began=progress.began, done=progress.done, working=progress.working))
        except KeyboardInterrupt:
            stopped = (
                f"stopped; {progress.judged} of {progress.total} judged; run the same command again to go on"
            )
            print(stopped, file=sys.stderr)
            raise SystemExit(130) from None
        except CanaryDeviates as deviation:
            listed(
                "NOTHING MORE IS PUBLISHED" if deviation.published else "NOTHING IS PUBLISHED",
                [f"{deviation}; `kqa course prove` says whether it is the answer key's fault"],
            )
            return None
    show(class_table(result.results, result.marks))
    return result


def _sample_graded(config: JudgeConfig) -> bool:
    folder = read_course().sample_class / "submitted"
    result = graded(
        GradingConfig(course=sample_course(), submissions=folder, workers=config.workers, tier=config.tier)
    )
    return result is not None and listed("NOT RECONCILED", result.differences)


def _own_job(again: bool) -> bool:
    job = read_course().job
    if job:
        module, _, function = job.partition(":")
        try:
            do = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError, ValueError) as problem:
            raise UserError(
                f'{course_folder() / SETTINGS}: job = "{job}": {problem}; expected "module:function"'
            ) from None
        do(again=again, runs=read_course().out / "runs")
    return True


def _reported() -> bool:
    from autograder.report.report import report

    print(f"report: {_shown(report(course=_sample_folder()))}")
    return True


def sample_course() -> Path:
    """A new course folder with the notebooks of this one, and a gradebook and results of its own."""
    folder = _sample_folder()
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / "source").symlink_to(course_folder() / "source", target_is_directory=True)
    (folder / "keys").symlink_to(read_course().keys, target_is_directory=True)
    shutil.copy(course_folder() / "nbgrader_config.py", folder)
    return folder


def _sample_folder() -> Path:
    return read_course().out / "runs" / "sample_course"


def _shown(path: Path | None) -> str:
    if path is None:
        return "none"
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
