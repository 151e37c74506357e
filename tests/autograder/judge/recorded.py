"""Results of the tiny course to record, what a gradebook holds, row by row, without the ids that it makes up,
and a class of four whose workers are stand-ins that answer as told.
"""

from __future__ import annotations

import shutil
from typing import Any

from sqlalchemy import MetaData, select
from tiny_course import LIMITS, NAME, SKELETON, hand_in, submitted, write_course

from autograder.answer_key import WrittenKey
from autograder.course.grade import grade
from autograder.gradebook.gradebook import open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.grading.config import Events, GradingConfig
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.submissions.merge import graft

RUBRIC = WrittenKey(
    "why",
    "Because the model answer says so.",
    ((1.0, "names the model answer's reason"),),
    ("blames the moon",),
)


def result(name, marks, status=Status.GRADED, sentence="said by us", outcome="right"):
    return ExerciseResult(name, status, outcome, marks, 2, sentence, written=name == "why")


def judged(
    double=2.0,
    total=0.0,
    student="ann",
    code=None,
    received=1.7e9,
    why="Because <script>alert(1)</script> a<b.",
):
    results = (
        result("double", double),
        result("total", total, sentence="<b>& the total is wrong", outcome="not yet"),
        result("why", None, Status.PERSON, outcome="written"),
    )
    answers = {"double": code} if code else {}
    grafted = graft(SKELETON, submitted([("double", "HELPER = 1")], why=why, **answers))
    return Judged(
        SubmissionResult(student, "tiny", Status.GRADED, results, None, ("a note",), "digest", received),
        grafted.cells,
    )


def record(course, *each, changed=True, db=None, stamp=(None, None)):
    """Record these results, as one run does. `stamp`: secret and time that came with them."""
    with Recorder(course, db) as recorder:
        recorder.prepare(SKELETON)
        for one in each:
            recorder.record(one, changed, stamp)


def dump(course, db=None) -> dict[str, list[str]]:
    """All rows of all tables, in an order that does not depend on when they were written;
    an id stands for the row it names.
    """
    with open_gradebook(course, db) as book:
        tables = MetaData()
        tables.reflect(book.engine)
        with book.engine.connect() as connection:
            rows = {
                table: [row._asdict() for row in connection.execute(select(table))]
                for table in tables.sorted_tables
            }
    named: dict[Any, tuple[str, dict[str, Any]]] = {}
    for table, found in rows.items():  # a table comes after those it refers to
        for row in found:
            named.setdefault(row.get("id"), (table.name, row))

    def label(table: str, row: dict[str, Any]) -> tuple[Any, ...]:
        said: list[Any] = [table]
        for column in sorted(row):
            value = row[column]
            owner = named.get(value) if isinstance(value, str) and len(value) == 32 else None
            if owner is None:
                said.append((column, value))
            elif owner[1] is not row:
                said.append((column, label(*owner)))
        return tuple(said)

    return {
        table.name: sorted(repr(label(table.name, row)) for row in found) for table, found in rows.items()
    }


ALL = {"ann": ("graded", 2.0), "bo": ("graded", 0.0), "cy": ("refused", 0), "dee": ("missing", 0)}


def write_class(folder, empty):
    """A course with an empty gradebook."""
    made = write_course(folder / "course")
    shutil.copy(empty, made)
    return made


def write_submitted(folder):
    """What a class handed in: ann and bo a notebook, cy a link, dee nothing."""
    made = folder / "submitted"
    for student in ("ann", "bo"):
        hand_in(made, student, double=f"def double(x): return {student!r}")
    (made / "cy" / NAME).mkdir(parents=True)
    (made / "cy" / NAME / f"{NAME}.ipynb").symlink_to(made / "ann" / NAME / f"{NAME}.ipynb")
    (made / "dee").mkdir()
    return made


def graded(course, folder=None, **more):
    events = Events(**{name: more.pop(name) for name in ("began", "done") if name in more})
    return grade(
        GradingConfig(submissions=folder, workers=1, course=course, limits=LIMITS, tier="forked", **more),
        events,
    )


def states(results):
    return {each.student: (str(each.status), each.marks) for each in results}
