"""nbgrader's gradebook: where it is, how it is opened, and what it holds.

- The database is the one that nbgrader itself would use: `c.CourseDirectory.db_url` of the course's
  `nbgrader_config.py`, else `gradebook.db` in the course directory. `--db URL` goes before both. Formgrader
  reads the same configuration, so both agree.
- A path in a URL is relative to the course directory, where nbgrader is run.
- A database that cannot be opened gives an error of one line, which never holds a password.
- PostgreSQL is used through psycopg2, which the extra `grade` installs; SQLAlchemy's own choice varies.
- SQLite waits a minute for a lock: formgrader may be open in a browser while the class is graded.
- A final mark is nbgrader's: the sum of the cells, less the penalty for lateness, at least 0.
- The maximum is ours: extra exercises count on top of it, while nbgrader's includes them. All other exercises
  right is 100 %.
- A refused or missing submission has no mark, although nbgrader counts it as 0, until a person gives it one.
- nbgrader's tables have no index from a submission to its grades, so each look-up would read all grades of
  the class. The recorder adds the indexes of `INDEXES`, which nbgrader ignores.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbgrader.api
from jupyter_core.paths import jupyter_config_path
from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Index, case, func
from sqlalchemy import text as text_of
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.judge.results import Status, SubmissionResult
from kqa_core.check.registry import COURSE_VARIABLE, all_exercises
from kqa_core.errors import UserError

CONFIG = "nbgrader_config.py"
DRIVER = "install what this course's extra `grade` names, `pip install psycopg2-binary` for PostgreSQL"
EXPECTED = "expected a URL such as postgresql+psycopg2://user@host/database or sqlite:///gradebook.db"
LOCK_SECONDS = "60"
NO_ROOM = 2**20  # bytes that are free: with fewer, no transaction can be written
INDEXES = tuple(
    Index(f"kqa_{table.__tablename__}_{column}", table.__table__.c[column])
    for table, column in (
        (SubmittedAssignment, "student_id"),
        (SubmittedNotebook, "assignment_id"),
        (Grade, "notebook_id"),
        (Comment, "notebook_id"),
    )
)


@dataclass(frozen=True)
class Mark:
    """The gradebook's entry for one student and notebook."""

    score: float  # the final mark
    maximum: float
    waits: bool  # whether a person still has to look
    penalty: float
    waiting: int = 0  # answers that a person still has to look at
    by_hand: bool = False  # whether a person gave a mark for any of its answers


def nbgrader_config(course: Path) -> Config:
    """nbgrader's settings, as nbgrader finds them from the course directory:
    the machine's, the user's, the course's.
    """
    settings = Config()
    for folder in [*reversed(jupyter_config_path()), str(course)]:
        if not Path(folder, CONFIG).is_file():
            continue
        settings.merge(read_settings(Path(folder)))
    return settings


def read_settings(folder: Path) -> Config:
    """The settings in one folder's `nbgrader_config.py`.
    It names its course in the environment, which is put back.
    """
    before = os.environ.get(COURSE_VARIABLE)
    try:
        return PyFileConfigLoader(CONFIG, path=str(folder)).load_config()
    except Exception as error:
        raise UserError(
            f"{folder / CONFIG}: cannot be loaded ({type(error).__name__}: {error}); correct it"
        ) from None
    finally:
        os.environ.pop(COURSE_VARIABLE, None)
        if before is not None:
            os.environ[COURSE_VARIABLE] = before


def gradebook_url(course: Path, db: str | None = None) -> URL:
    """The URL of a course directory's gradebook. Raises UserError for what is no URL of a database."""
    configured = db or nbgrader_config(course).CourseDirectory.get("db_url") or ""
    if not configured:
        return _sqlite(course / "gradebook.db")
    try:
        url = make_url(configured)
        url.get_backend_name()
    except (ArgumentError, ValueError):  # the text is not repeated: it may hold a password
        raise UserError(f"gradebook: its URL cannot be read; {EXPECTED}") from None
    if url.drivername == "postgresql":
        return url.set(drivername="postgresql+psycopg2")
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:" and not url.query:
        return _sqlite(course / url.database)
    return url


def newest_schema() -> str:
    """The version of the tables that this nbgrader makes."""
    from alembic.script import ScriptDirectory

    head = ScriptDirectory(str(Path(nbgrader.api.__file__).parent / "alembic")).get_current_head()
    assert head is not None
    return head


def use_newest_schema() -> None:
    """Make nbgrader use `newest_schema` in this process.

    It runs the program `alembic` to stamp each new gradebook: that takes a second, and must be found on the
    PATH first.
    """
    nbgrader.api.get_alembic_version = newest_schema


def open_gradebook(course: Path, db: str | None = None) -> Any:
    """nbgrader's gradebook, made if there is none. Raises UserError if it cannot be opened."""
    url = gradebook_url(course, db)
    use_newest_schema()
    try:
        with _alone(course):
            book = Gradebook(url)
        _check_whole(book, url)
        return book
    except NoSuchModuleError:
        raise UserError(
            f"gradebook {shown_url(url)}: there is no database of the kind {url.drivername!r}; {EXPECTED}"
        ) from None
    except ImportError as error:
        raise UserError(
            f"gradebook {shown_url(url)}: its driver {error.name!r} is not installed; {DRIVER}"
        ) from None
    except SQLAlchemyError as error:
        reason = _said(error, url)
        if "database is locked" in reason:
            busy = "another process holds it; close formgrader or wait for that command, and run this again"
            raise UserError(f"gradebook {shown_url(url)}: {busy}") from None
        if (full := full_disk(url)) is not None:
            raise UserError(f"gradebook {shown_url(url)}: {full}") from None
        if "malformed" in reason:
            raise _damaged(url, reason) from None
        other = "restore a backup" if url.get_backend_name() == "sqlite" else "the server"
        raise UserError(
            f"gradebook {shown_url(url)}: cannot be opened ({reason}); check the URL or {other}"
        ) from None


@contextlib.contextmanager
def _alone(course: Path) -> Iterator[None]:
    """Keep out other processes that open this course's gradebook: two that make its tables at once would
    disturb each other.

    If the system has no such lock (Windows, some network disks), it continues without.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            folder = os.open(course, os.O_RDONLY)
            held.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def full_disk(url: URL) -> str | None:
    """A line about the disk of a SQLite gradebook, if it is full: SQLite gives many reasons for that."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    with contextlib.suppress(OSError):
        free = shutil.disk_usage(Path(url.database).parent).free
        if free < NO_ROOM:
            return (
                f"the disk is full ({free // 2**10} KiB free); nothing is lost, make room and run this again"
            )
    return None


def _check_whole(book: Any, url: URL) -> None:
    """Raise UserError if a SQLite file is damaged: a query would fail, or find the wrong rows."""
    if url.get_backend_name() == "sqlite":
        lines = [
            line
            for (text,) in book.db.execute(text_of("PRAGMA quick_check(1)"))
            for line in str(text).splitlines()
        ]
        if lines != ["ok"]:
            book.close()
            raise _damaged(url, next((line for line in lines if not line.startswith("*")), lines[0]))


def _damaged(url: URL, said: str) -> UserError:
    return UserError(
        f"gradebook {shown_url(url)}: is damaged ({said}); `kqa course restore FILE --only gradebook"
        " --replace`"
    )


def add_indexes(book: Any) -> None:
    """Add the indexes that an older gradebook lacks. Without the right to add them, all works, but slowly."""
    with contextlib.suppress(SQLAlchemyError):
        for index in INDEXES:
            index.create(book.engine, checkfirst=True)


def gradebook_marks(
    course: Path,
    assignment: str,
    db: str | None = None,
    results: Mapping[str, SubmissionResult] | None = None,
) -> dict[str, tuple[float, float, bool]]:
    """The marks of an assignment now: student → (final mark, maximum, whether a person still has to look).

    With the judge's `results`, by student, only those that are `counted`.
    """
    if not gradebook_exists(course, db):
        return {}
    with open_gradebook(course, db) as book:
        marks = counted(marks_of(book, assignment), results or {})
        return {student: (mark.score, mark.maximum, mark.waits) for student, mark in marks.items()}


def counted(marks: Mapping[str, Mark], results: Mapping[str, SubmissionResult]) -> dict[str, Mark]:
    """The marks without the zeros of submissions that were refused, could not be read or never came;
    a person's mark stays, even a 0.
    """
    without = (Status.REFUSED, Status.UNREADABLE, Status.MISSING)
    none = {student for student, result in results.items() if result.status in without}
    return {
        student: mark for student, mark in marks.items() if student not in none or mark.score or mark.by_hand
    }


def marks_of(book: Any, assignment: str) -> dict[str, Mark]:
    """The marks of an assignment now, by student. Two queries, whatever the size of the class."""
    try:
        most = regular_maximum(book.find_assignment(assignment))
    except MissingEntry:
        return {}
    table = SubmittedAssignment
    columns = (table.student_id, table.score, table.late_submission_penalty, table.needs_manual_grade)
    rows = (
        book.db.query(*columns)
        .join(Assignment, Assignment.id == table.assignment_id)
        .filter(Assignment.name == assignment)
    )
    waiting = func.sum(case((Grade.needs_manual_grade.is_(True), 1), else_=0))
    grades = book.db.query(table.student_id, waiting, func.count(Grade.manual_score)).select_from(Grade)
    grades = grades.join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
    grades = grades.join(table, table.id == SubmittedNotebook.assignment_id).join(
        Assignment, Assignment.id == table.assignment_id
    )
    hands = {
        student: counts
        for student, *counts in grades.filter(Assignment.name == assignment).group_by(table.student_id)
    }
    marks = {}
    for row in sorted(rows, key=lambda row: row.student_id):
        waits, by_hand = hands.get(row.student_id, (0, 0))
        facts = (final_mark(row), most, bool(row.needs_manual_grade), float(row.late_submission_penalty))
        marks[row.student_id] = Mark(*facts, int(waits), bool(by_hand))
    return marks


def gradebook_names(course: Path, db: str | None = None) -> tuple[list[str], list[str]]:
    """The assignments and the students that the gradebook knows."""
    if not gradebook_exists(course, db):
        return [], []
    with open_gradebook(course, db) as book:
        return sorted(row.name for row in book.assignments), sorted(row.id for row in book.students)


def final_mark(submission: Any) -> float:
    """The mark of a submission, as nbgrader exports it."""
    return max(0.0, float(submission.score) - float(submission.late_submission_penalty or 0.0))


def regular_maximum(assignment: Any) -> float:
    """The points of the exercises of an assignment, without extra ones."""
    extra = {exercise.id for exercise in all_exercises() if exercise.extra}
    cells = (cell for notebook in assignment.notebooks for cell in notebook.grade_cells)
    return float(sum(cell.max_score for cell in cells if cell.name.removeprefix("check_") not in extra))


def shown_url(url: URL) -> str:
    """A URL as it may be printed: no password, and no options, which may hold one."""
    return url.set(query={}).render_as_string(hide_password=True)


def gradebook_exists(course: Path, db: str | None) -> bool:
    """Whether there is a gradebook to read: reading makes no file."""
    url = gradebook_url(course, db)
    return url.get_backend_name() != "sqlite" or Path(str(url.database)).is_file()


def _sqlite(path: Path) -> URL:
    return URL.create("sqlite", database=str(path.resolve()), query={"timeout": LOCK_SECONDS})


def _said(error: SQLAlchemyError, url: URL) -> str:
    """The first line of what the database said, without the password."""
    text = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    line = (text.strip().splitlines() or [type(error).__name__])[0]
    return line.replace(str(url.password), "***") if url.password else line
