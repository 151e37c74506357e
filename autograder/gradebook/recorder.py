"""Recording results: in nbgrader's own gradebook,
with the autograded notebook and the feedback page beside it.

- Afterwards formgrader, manual grading and nbgrader's exporters work as after `nbgrader autograde`.
- Old automatic scores are reset. A person's mark or comment stays. If the answer changed since, or a written
  answer has no mark yet, the cell is flagged for manual grading until a person has looked.
- An infrastructure error is no mark: an exercise that could not be judged gets no score and is flagged for a
  person. A submission that could not be judged at all is left unchanged.
- So is an answer that was found by other means than its cell's id and is not right, and one whose cell was
  not found: it has the checks' score until a person has looked.
- A refused submission scores 0, and its feedback page says why. An unreadable one has no score, and waits for
  a person. A missing one is not recorded: nbgrader knows it as missing.
- Lateness is computed from our own time of receipt. The time that stays in the row is the one that nbgrader's
  exchange put beside what it collected, or none: if the two differ, formgrader asks for autograding again.
- One submission is one transaction, and its files are written after it. Recording the same result again
  writes the same again, which repairs what a crash between the two left out.
- nbgrader writes a student's name into its pages unescaped. A name that would be markup is never put into the
  gradebook.
"""

from __future__ import annotations

import datetime
import shutil
import warnings
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Comment, Grade, MissingEntry, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy.exc import InterfaceError, OperationalError

from autograder.gradebook.cell_metadata import nbgrader_checksum, nbgrader_marks
from autograder.gradebook.due_dates import Extensions, extensions, kept_extensions
from autograder.gradebook.exchange_files import NO_STAMP, collected, exchange_files
from autograder.gradebook.feedback import autograded_notebook, changed_answers, submission_digest
from autograder.gradebook.feedback_page import feedback_page
from autograder.gradebook.gradebook import (
    Mark,
    add_indexes,
    counted,
    full_disk,
    marks_of,
    nbgrader_config,
    open_gradebook,
    shown_url,
)
from autograder.gradebook.lateness import Lateness
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.judge.seeds import course_key
from autograder.submissions.skeleton import Skeleton
from kqa_core.errors import UserError
from kqa_core.files import write_whole

NO_RESPONSE = "No response."  # nbgrader's own words for an untouched answer
NAME_LENGTH = 128  # nbgrader's column for a student's id


class Recorder:
    """Writes results of one course directory. Use as a context manager."""

    def __init__(self, course: Path, db: str | None = None, solutions: bool = False) -> None:
        self.course, self._solutions = course, solutions  # whether feedback pages hold the model answers
        self.submitted = course / "submitted"  # formgrader compares its times with the gradebook's
        self._known: set[str] = set()
        self.gradebook = open_gradebook(course, db)
        add_indexes(self.gradebook)
        self._extensions = kept_extensions(course)
        # the longest extension of a student's group, where there is one
        self.of_groups: Mapping[tuple[str, str], float] = {}
        self._lateness = Lateness(course, nbgrader_config(course))

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *what: object) -> None:
        self.gradebook.close()

    @property
    def where(self) -> str:
        """The gradebook's path or URL, for people to read."""
        url = self.gradebook.engine.url
        return str(url.database) if url.get_backend_name() == "sqlite" else shown_url(url)

    @cached_property
    def _key(self) -> bytes:
        return course_key(Path(self.course, ".course_key"))

    def prepare(self, skeleton: Skeleton, tested: Mapping[str, str] | None = None) -> None:
        """Add an assignment and its cells to the gradebook, as `nbgrader generate_assignment` does.

        `tested`: the sources of check cells with their hidden tests (`tested_sources`), which
        `nbgrader autograde` puts back.
        """
        book, name = self.gradebook, skeleton.name
        book.update_or_create_assignment(name)
        book.update_or_create_notebook(name, name)
        for cell in skeleton.cells:
            if cell.grade_id is None:
                continue
            source = (tested or {}).get(cell.grade_id, cell.source)
            marks = nbgrader_marks(cell.kind, cell.role, cell.grade_id)
            if marks["grade"] and cell.exercise is not None:
                marks["points"] = float(cell.exercise.points)
                facts = {"max_score": marks["points"], "cell_type": cell.kind}
                book.update_or_create_grade_cell(cell.grade_id, name, name, **facts)
            if marks["solution"]:
                book.update_or_create_solution_cell(cell.grade_id, name, name)
            facts = {"cell_type": cell.kind, "locked": marks["locked"], "source": source}
            facts["checksum"] = nbgrader_checksum(cell.kind, source, marks)
            book.update_or_create_source_cell(cell.grade_id, name, name, **facts)
        self._withdraw(skeleton)
        self._known.add(name)

    def _withdraw(self, skeleton: Skeleton) -> None:
        """Take cells out of the gradebook that the notebook no longer has:
        nbgrader would count their points for ever.

        Raises UserError, with nothing removed, if a person has given one of them a mark or a comment.
        """
        book, known = self.gradebook, {cell.grade_id for cell in skeleton.cells}
        notebook = book.find_notebook(skeleton.name, skeleton.name)
        graded = [
            cell for cell in (*notebook.grade_cells, *notebook.solution_cells) if cell.name not in known
        ]
        sources = [cell for cell in notebook.source_cells if cell.name not in known]
        rows = [
            row for cell in graded for row in (*getattr(cell, "grades", ()), *getattr(cell, "comments", ()))
        ]
        for row in rows:
            if any(
                getattr(row, column, None) not in (None, "")
                for column in ("manual_score", "extra_credit", "manual_comment")
            ):
                gone = (
                    f"{skeleton.name}: {row.name.removeprefix('check_')} is no longer in the notebook, but"
                    " people have marked it"
                )
                raise UserError(
                    f"{gone} (one is {row.student.id}); put it back with extra=True, so that nobody needs its"
                    " points"
                )
        for row in (*rows, *graded, *sources):
            book.db.delete(row)
        book.db.commit()

    def marks(self, assignment: str, results: Iterable[SubmissionResult]) -> dict[str, Mark]:
        """The marks of an assignment now, by student: those that are `counted`."""
        of_notebook = {result.student: result for result in results if result.assignment == assignment}
        return counted(marks_of(self.gradebook, assignment), of_notebook)

    def due(self, assignment: str) -> float | None:
        """When an assignment is due, seconds since 1970; None if there is no date. nbgrader keeps UTC."""
        try:
            date = self.gradebook.find_assignment(assignment).duedate
        except MissingEntry:
            return None
        return date.replace(tzinfo=datetime.UTC).timestamp() if date is not None else None

    def extensions(self) -> Extensions:
        """The time that students have after a due date."""
        return extensions(self.course, self.gradebook)

    def changed(self, judged: Judged) -> bool | frozenset[str]:
        """What a new submission has changed of the one recorded before: the exercises whose answers it has
        changed, or True where that cannot be told.
        """
        copy = self._place("autograded", judged.result.student, judged.result.assignment, ".ipynb")
        answers = changed_answers(copy, judged)
        return True if answers is None else answers

    def record(
        self,
        judged: Judged,
        changed: bool | frozenset[str] = True,
        stamp: tuple[str | None, str | None] = NO_STAMP,
    ) -> None:
        """Write one result. `changed`: the exercises whose answers differ from those judged before, or
        whether any does; `stamp` is what the exchange put beside this version (`Submission.stamp`).

        Raises UserError if the database fails; what was recorded before stays.
        """
        result = judged.result
        if result.status in (Status.BROKEN, Status.MISSING) and not result.exercises:
            return
        assert result.assignment in self._known, "prepare() comes first"
        unfit = unfit_name(result.student)
        if unfit is not None:
            warnings.warn(
                f"student {result.student!r}: {unfit}; not in the gradebook; rename the folder", stacklevel=2
            )
            return
        book = self.gradebook
        try:
            manual, penalty = self._grades(judged, changed)
            book.db.commit()
        except (OperationalError, InterfaceError) as error:
            lost = f"gradebook {self.where}: {result.student}, {result.assignment} could not be recorded"
            if (full := full_disk(book.engine.url)) is not None:
                raise UserError(f"{lost}: {full}") from None
            raise UserError(f"{lost} ({type(error).__name__}); check the server and grade again") from None
        finally:
            book.db.rollback()  # after a commit it ends nothing
        copy = self._place("autograded", result.student, result.assignment, ".ipynb")
        page = self._place("feedback", result.student, result.assignment, ".html")
        beside = exchange_files(stamp, result, self._key)
        if judged.cells:
            write_whole(copy, autograded_notebook(judged))
        else:  # refused: the copy is of an earlier submission
            shutil.rmtree(copy.parent, ignore_errors=True)
        write_whole(page, feedback_page(judged, manual, penalty, self._key, self._solutions))
        for folder in (page.parent, copy.parent) if judged.cells else (page.parent,):
            for name, content in beside.items():
                write_whole(folder / name, content)

    def published_digest(self, student: str, assignment: str) -> str | None:
        """The digest of the submission that the autograded copy was made from;
        None if there is no copy or it does not say.

        It tells a new submission from a known one after the ledger was deleted.
        """
        return submission_digest(self._place("autograded", student, assignment, ".ipynb"))

    def _place(self, folder: str, student: str, assignment: str, suffix: str) -> Path:
        return Path(self.course, folder, student, assignment, f"{assignment}{suffix}")

    def _grades(
        self, judged: Judged, changed: bool | frozenset[str]
    ) -> tuple[dict[str, tuple[float | None, str | None]], float]:
        """Set scores and penalty. Returns a person's mark and comment for each exercise, and the penalty."""
        book, result = self.gradebook, judged.result
        submission, notebook = self._submission(result)
        results = {exercise.exercise: exercise for exercise in result.exercises}
        grades = {grade.name: grade for grade in notebook.grades}
        manual: dict[str, tuple[float | None, str | None]] = {}
        unreadable = result.status is Status.UNREADABLE
        for cell in notebook.notebook.grade_cells:
            grade = grades.get(cell.name) or _added(
                book, Grade(cell=cell, notebook=notebook, needs_manual_grade=False)
            )
            name = cell.name.removeprefix("check_")
            exercise = results.get(name, results.get(cell.name))
            other = changed if isinstance(changed, bool) else name in changed
            _score(grade, exercise, other, unreadable)
            manual[cell.name.removeprefix("check_")] = (grade.manual_score, None)
        comments = {comment.name: comment for comment in notebook.comments}
        for cell in notebook.notebook.solution_cells:
            comment = comments.get(cell.name) or _added(book, Comment(cell=cell, notebook=notebook))
            exercise = results.get(cell.name)
            comment.auto_comment = (
                NO_RESPONSE if exercise is not None and exercise.status is Status.UNATTEMPTED else None
            )
            manual[cell.name] = (manual.get(cell.name, (None, None))[0], comment.manual_comment)
        book.db.flush()
        book.db.refresh(notebook)  # its score is a sum that the database makes
        own = submission.extension.total_seconds() if submission.extension is not None else 0.0
        more = self.of_groups.get((result.student, result.assignment), 0.0) - own
        self._lateness.penalise(submission, notebook, max(0.0, more))
        submission.timestamp = collected(self.submitted, result)
        return manual, float(notebook.late_submission_penalty or 0.0)

    def _submission(self, result: SubmissionResult) -> tuple[Any, Any]:
        """The rows of a submission and of its notebook.
        New ones are not committed: a reader never sees one without scores.
        """
        book = self.gradebook
        try:
            submission = book.find_submission(result.assignment, result.student)
        except MissingEntry:
            assignment = book.find_assignment(result.assignment)
            student = book.db.get(Student, result.student) or _added(book, Student(id=result.student))
            submission = _added(book, SubmittedAssignment(assignment=assignment, student=student))
        granted = self._extensions.get((result.student, result.assignment))
        if granted is not None:
            submission.extension = datetime.timedelta(seconds=granted)
        if result.received is not None:  # for the lateness
            submission.timestamp = datetime.datetime.fromtimestamp(result.received, datetime.UTC).replace(
                tzinfo=None
            )
        for notebook in submission.notebooks:
            if notebook.name == result.assignment:
                return submission, notebook
        notebook = SubmittedNotebook(
            notebook=book.find_notebook(result.assignment, result.assignment), assignment=submission
        )
        return submission, _added(book, notebook)


def unfit_name(student: str) -> str | None:
    """Why nbgrader cannot use a student's name; None if it can."""
    if not student or student in (".", "..") or "/" in student:
        return "is no name of a folder"
    if len(student) > NAME_LENGTH:
        return f"has {len(student)} characters, at most {NAME_LENGTH} are possible"
    if any(character in '<>"' or not character.isprintable() for character in student):
        return 'holds a character that nbgrader would show as markup (<, >, " or an unprintable one)'
    return None


def _added(book: Any, row: Any) -> Any:
    book.db.add(row)
    return row


def _score(grade: Any, result: ExerciseResult | None, changed: bool, unreadable: bool = False) -> None:
    """Reset one automatic score. Without a result it is 0 (a refused submission), or none (`unreadable`).

    A flag for manual grading stays on a regrade of the same answer, until a person has looked.
    """
    by_hand = grade.manual_score is not None
    no_score = unreadable or (result is not None and result.status in (Status.BROKEN, Status.PERSON))
    person = no_score or (result is not None and result.look is not None)
    grade.auto_score = None if no_score else result.marks if result is not None else 0.0
    if person:
        grade.needs_manual_grade = not by_hand or changed or grade.needs_manual_grade
    else:
        grade.needs_manual_grade = by_hand and (changed or grade.needs_manual_grade)
