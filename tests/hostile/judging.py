"""Judge the corpus by the way that a class takes, and note all that an instructor could notice.

- This is the only file here that knows the judge's calls: `grade`, `gradebook_marks`, `course_key`, `Limits`,
  `best_tier`.
- A class is judged by one worker: each hostile submission, then its honest neighbour from the same fork
  server. Before them all the honest student is judged alone. Two classes are judged side by side, each in a
  process and a course of its own.
- In `make test` a twentieth of every second file of the corpus is judged, and of others after each change of
  the judge; what acts in a browser always.
- Clocks are generous to honest code, which takes milliseconds, and short for an endless loop. A call has time
  to fill the memory that it may have, also on a busy machine: the first touch of 400 MiB can take over three
  seconds.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from corpus import ALL, MODULES, browser
from corpus.fixture import Fixture
from hostile_course import MARK, MODELS, NAME, as_bytes, honest, neighbour, set_source, write_course
from outside_effects import Listeners, run_by_a_browser
from portions import portion

import autograder
from autograder.course.grade import grade
from autograder.gradebook.gradebook import gradebook_marks
from autograder.grading.config import Events, GradingConfig
from autograder.judge.results import SubmissionResult
from autograder.judge.seeds import course_key
from autograder.sandbox.tiers import best_tier
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.errors import UserError

LIMITS = Limits(
    call_seconds=6.0,
    cell_seconds=3.0,
    extra_seconds=2.0,
    extras_seconds=6.0,
    exercise_seconds=10.0,
    submission_seconds=60.0,
    first_seconds=60.0,  # nobody waits: a neighbour is judged right after
    restarts=6,
    grace_seconds=20.0,
    memory=400 * 2**20,
    file=32 * 2**20,
    notebook=4 * 2**20,
)
JUDGE = sorted(
    path
    for folder in ("judge", "sandbox", "runner", "submissions", "grading")
    for path in (Path(autograder.__file__).parent / folder).glob("*.py")
)
NUMBER = {fixture.name: number for number, fixture in enumerate(ALL)}
DRAWN = portion(MODULES, 2, *JUDGE)
NUMBERED = tuple(
    (NUMBER[fixture.name], fixture)
    for module in MODULES
    if module is browser or module in DRAWN
    for fixture in portion(module.FIXTURES, 1 if module is browser else 20, str(module.__file__), *JUDGE)
)
ALONE = {NAME: "0000-alone", MODELS: "0000-alone-models"}
SECRET = "KQA_HOSTILE_SECRET"


@dataclass
class Class:
    """A judged class. Results are the JSON of `SubmissionResult`, by student."""

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)  # of judging
    scores: dict[str, float] = field(default_factory=dict)  # in the gradebook
    connections: list[str] = field(default_factory=list)  # that reached the listeners
    changed: list[str] = field(default_factory=list)  # files of the course that are not as they were
    markup: list[str] = field(default_factory=list)  # what a browser would run of a student's, by page
    differences: list[str] = field(default_factory=list)  # between manifest and results
    peak: int = 0  # bytes: the most memory that a worker ever held
    course: Path = Path()


def contains() -> bool:
    """Whether a sandbox holds here, so that fixtures which would harm the machine may run."""
    try:
        return best_tier() != "limits"
    except UserError:
        return False


def half(fixture: Fixture, number: int) -> int:
    """In which of the two classes a fixture is: those with more than one grading are apart."""
    return 0 if fixture.first is not None else 1 if fixture.notebook == MODELS else number % 2


def runs(fixture: Fixture) -> bool:
    """Whether it may run on this machine."""
    return contains() or not fixture.contained


def student(fixture: Fixture, number: int) -> str:
    """Under which name a fixture is handed in."""
    return fixture.student or f"{number:03d}-{fixture.name}"


def following(fixture: Fixture, number: int) -> str:
    """The name of the honest student who is judged after it."""
    return f"{number:03d}-{fixture.name}-next"


def judge_class(numbers: Sequence[int], root: Path, **how: Any) -> Class:
    """Hand in these fixtures of the corpus in a course of their own,
    each before an honest neighbour, and grade them.

    `how` are fields of `GradingConfig`: another tier, or a cluster.
    """
    numbered = [(number, ALL[number]) for number in numbers]
    course = write_course(root / "course")
    os.environ[SECRET] = "1"
    seen = Class(course=course)
    with Listeners(root, seen.connections) as listeners, workers_watched(seen):
        places = {
            "{COURSE}": str(course),
            "{REPO}": str(Path(autograder.__file__).parents[1]),
            "{PORT}": str(listeners.port),
            "{SOCKET}": listeners.name,
        }
        course_key(course / ".course_key")
        (course / "submitted").mkdir()
        for notebook in (NAME, MODELS):
            here = [(number, fixture) for number, fixture in numbered if fixture.notebook == notebook]
            before = [(number, fixture) for number, fixture in here if fixture.first is not None]
            if before:
                school = course / "earlier"
                for number, fixture in before:
                    assert fixture.first is not None
                    tree = honest(notebook)
                    fixture.first(tree)
                    _write(school / student(fixture, number) / notebook / f"{notebook}.ipynb", as_bytes(tree))
                grade(_config(course, notebook, school, how))
            if here:
                _grade(here, course, notebook, places, seen, how)
    return seen


def judge_class_apart(which: int, numbers: list[int], root: Path) -> Class:
    """Judge a class on a processor of its own,
    so that a submission of one class cannot slow those of the other.
    """
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[which % len(processors)]})
    return judge_class(numbers, root)


def _config(course: Path, notebook: str, school: Path, how: dict[str, Any]) -> GradingConfig:
    return GradingConfig(
        assignment=notebook, submissions=school, course=course, limits=LIMITS, **{"workers": 1, **how}
    )


def _grade(
    here: list[tuple[int, Fixture]],
    course: Path,
    notebook: str,
    places: dict[str, str],
    seen: Class,
    how: dict[str, Any],
) -> None:
    school = course / ("submitted" if notebook == NAME else "models")
    _write(school / ALONE[notebook] / notebook / f"{notebook}.ipynb", neighbour(notebook))
    for number, fixture in here:
        _hand_in(fixture, school, student(fixture, number), places)
        _write(school / following(fixture, number) / notebook / f"{notebook}.ipynb", neighbour(notebook))
    before = _digests(course, school)
    results: list[SubmissionResult] = []
    graded = grade(_config(course, notebook, school, how), Events(done=results.append))
    seen.differences += graded.differences
    seen.changed += sorted(
        name for name, digest in _digests(course, school).items() if before.get(name) != digest
    )
    there = {path.name for path in school.iterdir()}
    for result in graded.results:  # the store knows the students of both notebooks
        if notebook == NAME or result.student in there:
            seen.results[result.student] = asdict(result)
    seen.order += [result.student for result in results]
    seen.scores.update({name: score for name, (score, _, _) in gradebook_marks(course, notebook).items()})
    for path in sorted((*(course / "feedback").rglob("*.html"), *(course / "autograded").rglob("*.ipynb"))):
        text = path.read_text(encoding="utf-8", errors="replace")
        seen.markup += [
            f"{path.parent.parent.name}: {what}" for what in run_by_a_browser(text, path.suffix == ".ipynb")
        ]


def _hand_in(fixture: Fixture, school: Path, name: str, places: dict[str, str]) -> None:
    folder = school / name / fixture.notebook
    folder.mkdir(parents=True)
    if fixture.place is not None:
        fixture.place(folder, school)
        return
    tree = honest(fixture.notebook)
    for exercise, source in fixture.answers.items():
        set_source(tree, exercise, source)
    for own, where in ((fixture.before, 0), (fixture.after, len(tree["cells"]))):
        cells = [
            {
                "cell_type": "code",
                "id": f"own-{where}-{n}",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
            }
            for n in range(len(own))
        ]
        tree["cells"][where:where] = [
            {**cell, "source": [source]} for cell, source in zip(cells, own, strict=True)
        ]
    if fixture.edit is not None:
        fixture.edit(tree)
    content = (
        fixture.content(tree)
        if callable(fixture.content)
        else as_bytes(tree)
        if fixture.content is None
        else fixture.content
    )
    for sign, place in places.items():
        content = content.replace(sign.encode(), place.encode())
    (folder / f"{fixture.notebook}.ipynb").write_bytes(content)


@contextlib.contextmanager
def workers_watched(seen: Class) -> Iterator[None]:
    """Note the most memory that a trusted process has held:
    this one, which publishes, or a child, a worker that judges.

    Runners are children of workers.
    """
    over = threading.Event()
    Path("/proc/self/clear_refs").write_text("5")  # what this process held before does not count

    def watch() -> None:
        while not over.wait(0.1):
            for status in _trusted_status():
                seen.peak = max(seen.peak, int(status.partition("VmHWM:")[2].split()[0]) * 1024)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _trusted_status() -> Iterator[str]:
    yield Path("/proc/self/status").read_text()
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_text()
                if "VmHWM:" in status:
                    yield status


def plain(result: dict[str, Any]) -> str:
    """A result without what differs between two students who hand in the same file."""
    return json.dumps(
        {key: value for key, value in result.items() if key not in ("student", "received")}, sort_keys=True
    )


def left_running() -> list[int]:
    """The processes that a fixture left behind. They are killed."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if path.read_bytes().rstrip(b"\0").split(b"\0")[0::2][-1:] == [
                MARK.encode()
            ] or path.read_bytes().startswith(MARK.encode()):
                found.append(int(path.parent.name))
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return found


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _digests(course: Path, school: Path) -> dict[str, str]:
    """What the files hold that no grading may change: the course's own, and what was handed in."""
    kept = [course / ".course_key", *(course / "source").rglob("*"), *school.rglob("*")]
    return {
        str(path.relative_to(course)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in kept
        if path.is_file() and not path.is_symlink()
    }
