"""The one writer: puts results into nbgrader's own gradebook, and the autograded notebook and the feedback page beside it.

- After it, formgrader, manual grading and nbgrader's exporters work as after `nbgrader autograde`.
- Stale automatic scores are reset. A mark or comment that a person gave stays; where the answer changed since, or where there is
  none yet, the cell is flagged for manual grading.
- An infrastructure error is no mark: an exercise the judge could not decide gets no score and is flagged for a person; a
  submission that it could not judge at all is left as it was.
- A refused submission scores 0, and its feedback page says why; a missing one is left to nbgrader, which knows it as missing.
"""

from __future__ import annotations

import datetime
import os
import shutil
import sys
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

from nbgrader.api import Comment, Grade, Gradebook, MissingEntry
from sqlalchemy.exc import SAWarning

from autograder.course.build import write_whole
from autograder.judge.results import ExerciseResult, Judged, Status
from autograder.judge.shown import autograded_notebook, feedback_page
from autograder.judge.skeleton import Skeleton

NO_RESPONSE = "No response."  # nbgrader's own words for an untouched answer


def open_gradebook(path: Path) -> Any:
    """nbgrader's gradebook in the SQLite file at `path`, made there if there is none.

    To stamp a new one, nbgrader runs `alembic` by its bare name: it is looked for beside this Python, whatever the PATH.
    """
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{before}"
    try:
        return Gradebook(f"sqlite:///{path.resolve()}")
    finally:
        os.environ["PATH"] = before


class Recorder:
    """Writes results of one course directory. Use as a context manager."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.path = course / "gradebook.db"
        self._known: set[str] = set()
        self._gradebook = open_gradebook(self.path)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._gradebook.close()

    def prepare(self, skeleton: Skeleton) -> None:
        """Tell the gradebook of an assignment and its cells, as `nbgrader generate_assignment` does."""
        book, name = self._gradebook, skeleton.name
        book.update_or_create_assignment(name)
        book.update_or_create_notebook(name, name)
        for cell in skeleton.cells:
            if cell.role in ("check", "written") and cell.exercise is not None:
                facts = {"max_score": float(cell.exercise.points), "cell_type": cell.kind}
                book.update_or_create_grade_cell(cell.grade_id, name, name, **facts)
            if cell.role in ("solution", "written"):
                book.update_or_create_solution_cell(cell.grade_id, name, name)
            if cell.grade_id is not None:
                facts = {"cell_type": cell.kind, "locked": cell.role not in ("solution", "written"), "source": cell.source}
                book.update_or_create_source_cell(cell.grade_id, name, name, **facts)
        self._known.add(name)

    def record(self, judged: Judged, changed: bool = True) -> None:
        """Write one result. `changed` says whether the submission differs from the one judged before."""
        result = judged.result
        if result.status in (Status.BROKEN, Status.MISSING) and not result.exercises:
            return
        assert result.assignment in self._known, "prepare() comes first"
        manual = self._grades(judged, changed)
        if judged.cells:
            write_whole(self._place("autograded", judged, ".ipynb"), autograded_notebook(judged))
        else:  # refused: what stands there is of an earlier submission
            shutil.rmtree(self._place("autograded", judged, ".ipynb").parent, ignore_errors=True)
        write_whole(self._place("feedback", judged, ".html"), feedback_page(judged, manual))

    def _place(self, folder: str, judged: Judged, suffix: str) -> Path:
        name = judged.result.assignment
        return Path(self.course, folder, judged.result.student, name, f"{name}{suffix}")

    def _grades(self, judged: Judged, changed: bool) -> dict[str, tuple[float | None, str | None]]:
        """Write the scores; what a person gave, by exercise."""
        book, result = self._gradebook, judged.result
        book.update_or_create_student(result.student)
        facts: dict[str, Any] = {}
        if result.received is not None:
            facts["timestamp"] = datetime.datetime.fromtimestamp(result.received, datetime.UTC).replace(tzinfo=None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader builds a submission's rows in an order SQLAlchemy warns about
            submission = book.update_or_create_submission(result.assignment, result.student, **facts)
        (notebook,) = (each for each in submission.notebooks if each.name == result.assignment)
        results = {each.exercise: each for each in result.exercises}
        grades = {grade.name: grade for grade in notebook.grades}
        manual: dict[str, tuple[float | None, str | None]] = {}
        for cell in notebook.notebook.grade_cells:
            grade = grades.get(cell.name) or _added(book, Grade(cell_id=cell.id, notebook=notebook))
            each = results.get(cell.name.removeprefix("check_"), results.get(cell.name))
            _score(grade, each, changed)
            manual[cell.name.removeprefix("check_")] = (grade.manual_score, None)
        comments = {comment.name: comment for comment in notebook.comments}
        for cell in notebook.notebook.solution_cells:
            comment = comments.get(cell.name) or _added(book, Comment(cell_id=cell.id, notebook=notebook))
            each = results.get(cell.name)
            comment.auto_comment = NO_RESPONSE if each is not None and each.status is Status.UNATTEMPTED else None
            manual[cell.name] = (manual.get(cell.name, (None, None))[0], comment.manual_comment)
        book.db.commit()
        return manual


def _added(book: Gradebook, row: Any) -> Any:
    """A row for a cell that came into the notebook after this submission was first recorded."""
    book.db.add(row)
    return row


def _score(grade: Any, result: ExerciseResult | None, changed: bool) -> None:
    """Reset one automatic score. Without a result (a refused submission) it is 0."""
    if result is None:
        grade.auto_score, grade.needs_manual_grade = 0.0, False
    elif result.status is Status.BROKEN or result.status is Status.PERSON:
        grade.auto_score = None
        grade.needs_manual_grade = grade.manual_score is None or changed
    else:
        grade.auto_score = result.marks
        grade.needs_manual_grade = grade.manual_score is not None and changed


def gradebook_marks(path: Path, assignment: str) -> dict[str, tuple[float, float, bool]]:
    """What the gradebook holds now for an assignment: student → (score, maximum, whether a person has still to look)."""
    if not path.is_file():
        return {}
    with open_gradebook(path) as book:
        try:
            found = book.assignment_submissions(assignment)
        except MissingEntry:
            return {}
        return {each.student.id: (each.score, each.max_score, bool(each.needs_manual_grade)) for each in found}
