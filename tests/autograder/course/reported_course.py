"""A graded course without a judge at work: results made by hand and recorded, for tests of the reports; and a
reader of their pages.
"""

from __future__ import annotations

from html.parser import HTMLParser

from small_course import NAME, write_course

from autograder.gradebook.gradebook import open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult, overall
from autograder.submissions.merge import GraftedCell
from autograder.submissions.skeleton import load_skeleton

POINTS = {"average_all": 1, "select_first": 1, "why_select": 1}
ANSWERS = {
    "average_all": "def average_all(K):\n    return K.mean(dim=0)",
    "select_first": "pass",
    "why_select": "For 1 < 2.",
}


def said(exercise, outcome="right", sentence="well done", **facts):
    """What the judge said of one exercise."""
    status = {"unattempted": Status.UNATTEMPTED, "written": Status.PERSON}.get(outcome, Status.GRADED)
    marks = None if outcome == "written" else float(POINTS[exercise] if outcome == "right" else 0)
    written = exercise == "why_select"
    return ExerciseResult(
        **{
            **{
                "exercise": exercise,
                "status": status,
                "outcome": outcome,
                "marks": marks,
                "points": POINTS[exercise],
            },
            **{"sentence": sentence, "written": written, **facts},
        }
    )


def submission(student, exercises, **facts):
    """One student's result."""
    return SubmissionResult(student, NAME, overall(tuple(exercises)), tuple(exercises), **facts)


def everything(first="right", **facts):
    """Results for all three exercises, `first` the outcome of the first."""
    return [
        said("average_all", first, **facts),
        said("select_first"),
        said("why_select", "written", "a person reads it"),
    ]


def graded_course(root, results, answers=None, own=None):
    """A course in which `results` are recorded; `answers`:
    student → exercise → source, `own`: student → a cell of their own.
    """
    course = write_course(root)
    skeleton = load_skeleton(course / "source" / NAME / f"{NAME}.ipynb")
    judged = []
    with Recorder(course) as recorder:
        recorder.prepare(skeleton)
        for result in results:
            sources = {**ANSWERS, **(answers or {}).get(result.student, {})}
            cells = [
                GraftedCell(cell.role, cell.kind, sources.get(cell.grade_id, cell.source), cell.grade_id)
                for cell in skeleton.cells
            ]
            if own and result.student in own:
                cells.append(GraftedCell("extra", "code", own[result.student], None))
            judged.append(Judged(result, tuple(cells) if result.exercises else ()))
            recorder.record(judged[-1])
    with Ledger(ledger_path(course)) as ledger:
        ledger.publish(NAME, [(None, each) for each in judged])
    return course


def give(course, student, exercise, mark, comment):
    """A person marks a written answer in formgrader."""
    with open_gradebook(course) as book:
        grade = book.find_grade(exercise, NAME, NAME, student)
        grade.manual_score, grade.needs_manual_grade = mark, False
        book.find_comment(exercise, NAME, NAME, student).manual_comment = comment
        book.db.commit()


BLOCKS = {
    "br",
    "dd",
    "div",
    "details",
    "h1",
    "h2",
    "h3",
    "li",
    "p",
    "pre",
    "summary",
    "table",
    "td",
    "th",
    "title",
}
VOID = {"meta", "br", "rect", "line", "path", "img", "input"}


class Reader(HTMLParser):
    """Every tag and attribute of a page, and its text; fails where a tag is not closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.links, self.open = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.words += [" "] if tag in BLOCKS else []
        assert not any(name.startswith("on") for name, _ in attrs)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        self.words += [" "] if tag in BLOCKS else []
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())
