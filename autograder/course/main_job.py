"""`make course`: the main job on the shipped data, from the proof of the checks to the report.

1. the proof: every accepted answer passes, every rejected one fails with its own sentence, the untouched copy scores 0;
2. the sample class, judged and recorded in a gradebook of its own: `runs/sample_course`, so no real class is touched;
3. the knowledge table: the small world's model without and with pretraining, beside the baselines and the ceiling;
4. the HTML report on the sample class.

It stops at the first thing that does not hold, says which, and ends with status 1. Training resumes where it was interrupted.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from tqdm import tqdm

from autograder.build.build import build
from autograder.course.sample_class import FOLDER as SAMPLE_CLASS
from autograder.farm.config import Events, GradingConfig, JudgeConfig
from autograder.paths import COURSE, ROOT

SAMPLE_COURSE = ROOT / "runs" / "sample_course"


def run(config: JudgeConfig, retrain: bool = False) -> int:
    """Do all of it; the exit status. `retrain` trains again where a finished run of the same data and recipe is there."""
    start = time.monotonic()
    for step in (
        _built,
        lambda: _proved(config),
        lambda: _graded(config),
        lambda: _known(retrain),
        _reported,
    ):
        if not step():
            return 1
        print(flush=True)
    print(f"done in {(time.monotonic() - start) / 60:.1f} minutes")
    return 0


def _built() -> bool:
    made = build()
    executed = [name for name, was_executed in made.sources.items() if was_executed]
    print(f"notebooks: {len(made.sources)} built ({len(executed)} executed anew); student bundle: {_shown(made.bundle)}")
    for leak in made.leaks:
        print(f"LEAK {leak}", file=sys.stderr)
    return not made.leaks


def _proved(config: JudgeConfig) -> bool:
    from autograder.course.prove import prove
    from autograder.course.tables import proof_table, show

    with tqdm(desc="prove", unit="answer", disable=None, leave=False) as bar:
        proof = prove((), config, Events(bar.reset, lambda name: bar.update()))
    show(proof_table(proof))
    for deviation in (*proof.deviations, *proof.leaks):
        print(f"DEVIATION {deviation}", file=sys.stderr)
    return proof.holds


def _graded(config: JudgeConfig) -> bool:
    from autograder.course.grade import grade
    from autograder.course.progress import Progress
    from autograder.course.tables import class_table, show
    from autograder.judge.canaries import CanaryDeviates

    folder = SAMPLE_CLASS / "submitted"
    grading = GradingConfig(course=sample_course(), submissions=folder, workers=config.workers, tier=config.tier)
    with Progress() as progress:
        try:
            graded = grade(grading, Events(progress.began, progress.done, progress.working))
        except CanaryDeviates as deviation:
            print(f"NOTHING IS PUBLISHED {deviation}", file=sys.stderr)
            return False
    show(class_table(graded.results))
    for difference in graded.differences:
        print(f"NOT RECONCILED {difference}", file=sys.stderr)
    return not graded.differences


def _known(retrain: bool) -> bool:
    from kqa_core.experiments.knowledge_table import format_table, measure_knowledge

    world, runs = ROOT / "data" / "world" / "small", ROOT / "runs" / "small_world"
    print("What the model knows: dev questions of the small world")
    print(format_table(measure_knowledge(world, runs=runs, reuse=not retrain)))
    return True


def _reported() -> bool:
    from autograder.report.report import report

    print(f"report: {_shown(report(course=SAMPLE_COURSE))}")
    return True


def sample_course(folder: Path = SAMPLE_COURSE) -> Path:
    """A course directory with the notebooks of this one, and a gradebook, feedback and results of its own, all new."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / "source").symlink_to(COURSE / "source", target_is_directory=True)
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    return folder


def _shown(path: Path | None) -> str:
    if path is None:
        return "none"
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
