"""The gradebook's marks in files for Canvas, Moodle and spreadsheets,
read back by the rules that these programs document.
"""

from __future__ import annotations

import csv
import io

import pytest

from autograder.export.csv_tables import harmless_cell, number, table
from autograder.export.export import export
from autograder.export.marks import Target, collect
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.results import Judged, Status, SubmissionResult
from kqa_core.check.registry import find
from kqa_core.errors import UserError

FIRST, SECOND = "01_attention_as_a_lookup", "02_heads"
LINK = '=HYPERLINK("http://x.y","z")'
ODD = [LINK, "+1", "@SUM(A1:A9)", "-2+3", 'O"Neill, Zoë', "two\nlines", "\t=1", " '=1", "a;=1", "#ü 1.5"]
pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("export"),  # from one gradebook
]
PLAIN = ["ann", "bo", "cy"]
SCORES = {"ann": 2.5, "bo": 0.0, "+1": 1 / 3, LINK: 4.0, "two\nlines": 1e-7, "@SUM(A1:A9)": 3.25}


def fill(course, students=(), scores=SCORES):
    """A gradebook with these students, the marks in `scores` in the first notebook,
    and one late mark in the second.
    """
    with open_gradebook(course) as book:
        # `kqa course build` tells the gradebook of every notebook; nobody handed this one in
        book.add_assignment("03_released")
        for name, points in ((FIRST, 4.0), (SECOND, 10.0)):
            book.add_assignment(name)
            book.add_notebook(name, name)
            book.add_grade_cell("check_one", name, name, max_score=points, cell_type="code")
        for student in (*PLAIN, *students):
            book.add_student(student)
        for name, given in ((FIRST, scores), (SECOND, {"ann": 8.0})):
            for student, score in given.items():
                if student in (*PLAIN, *students):
                    book.add_submission(name, student)
                    grade = book.find_grade("check_one", name, name, student)
                    grade.auto_score, grade.needs_manual_grade = score, student == "bo"
        book.find_submission_notebook(SECOND, SECOND, "ann").late_submission_penalty = 3.0
        book.db.commit()
    missing = SubmissionResult("dee", FIRST, Status.MISSING)
    judged = SubmissionResult("ann", FIRST, Status.GRADED, received=1.7e9, version=2, late=90.0)
    with Ledger(ledger_path(course)) as ledger:
        ledger.publish(FIRST, [(None, Judged(judged)), (None, Judged(missing))])
    return course


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("odd"), ODD)


def rows(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def shown(name):
    """A name as a platform reads it back: without the apostrophes that were set before formulas."""
    return harmless_cell(name)


def imported_by_canvas(text):
    """Canvas's importer, by its documentation:
    marks by the login, points by the item; a blank cell is no mark.
    """
    head, *lines = rows(text)
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert all(len(line) == len(head) for line in lines)
    points = next(line for line in lines if "Points Possible" in line[0])
    marks = {}
    for line in lines:
        if line is not points and any(line):
            marks |= {
                (line[3], item): float(cell) for item, cell in zip(head[5:], line[5:], strict=True) if cell
            }
    return marks, dict(zip(head[5:], points[5:], strict=True))


def imported_by_moodle(text):
    """Moodle's importer: the first column maps to the username, the others to items; a hyphen is no grade."""
    head, *lines = rows(text)
    return {
        (line[0], item): float(cell)
        for line in lines
        for item, cell in zip(head[1:], line[1:], strict=True)
        if cell not in ("-", "")
    }


def in_gradebook(course):
    marks = {name: gradebook_marks(course, name) for name in (FIRST, SECOND)}
    return {
        (shown(student), name): mark[0] for name, found in marks.items() for student, mark in found.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("which", ["course", "odd"])
def test_canvas_imports_exactly_the_gradebooks_marks(request, which):
    course = request.getfixturevalue(which)
    marks, points = imported_by_canvas(export(to=Target.CANVAS, course=course).text)
    assert marks == in_gradebook(course) and len(marks) == (3 if which == "course" else 7)
    assert points == {FIRST: "4", SECOND: "10"}
    assert marks["ann", SECOND] == 5.0  # 8 less the penalty


@pytest.mark.slow
@pytest.mark.parametrize("which", ["course", "odd"])
def test_moodle_imports_exactly_the_gradebooks_marks(request, which):
    course = request.getfixturevalue(which)
    assert imported_by_moodle(export(to=Target.MOODLE, course=course).text) == in_gradebook(course)


def test_the_plain_table_says_what_the_gradebook_and_the_judge_know(course):
    head, *lines = rows(export([FIRST], Target.CSV, course=course).text)
    found = {line[0]: dict(zip(head, line, strict=True)) for line in lines}
    assert list(found) == ["ann", "bo", "cy", "dee"]
    assert found["ann"] == {
        **{
            "student": "ann",
            "notebook": FIRST,
            "score": "2.5",
            "maximum": "4",
            "penalty": "0",
            "late_seconds": "90",
        },
        **{
            "status": "graded",
            "needs_a_person": "no",
            "version": "2",
            "received": "2023-11-14T22:13:20+00:00",
        },
        **{"name": "", "section": "", "group": ""},
    }
    assert (found["bo"]["score"], found["bo"]["needs_a_person"], found["bo"]["status"]) == (
        "0",
        "yes",
        "graded elsewhere",
    )
    assert (found["cy"]["score"], found["dee"]["score"], found["dee"]["status"]) == ("", "", "missing")


@pytest.mark.slow
@pytest.mark.parametrize("to", list(Target))
def test_a_refused_or_missing_submission_is_an_empty_cell_until_a_person_marks_it_or_zeros_are_asked_for(
    tmp_path, to
):
    scores = {"ann": 0.0, "bo": 0.0, "cy": 0.0, "eli": 0.0, "fay": 0.0}
    fill(tmp_path, scores=scores, students=("dee", "eli", "fay"))
    statuses = {
        "ann": Status.GRADED,
        "bo": Status.REFUSED,
        "cy": Status.REFUSED,
        "dee": Status.MISSING,
        "eli": Status.MISSING,
        "fay": Status.UNREADABLE,
    }
    with Ledger(ledger_path(tmp_path)) as ledger:
        ledger.publish(
            FIRST, [(None, Judged(SubmissionResult(who, FIRST, status))) for who, status in statuses.items()]
        )
    with open_gradebook(tmp_path) as book:
        book.find_grade("check_one", FIRST, FIRST, "cy").manual_score = 0.0
        book.db.commit()

    def shown(**options):
        head, *lines = rows(export([FIRST], to, course=tmp_path, **options).text)
        column = head.index("score" if to is Target.CSV else FIRST)
        return {line[0]: line[column] for line in lines if line[0] in statuses}

    none = "-" if to is Target.MOODLE else ""
    assert shown() == {"ann": "0", "bo": none, "cy": "0", "dee": none, "eli": none, "fay": none}
    with_zeros = shown(zeros=True)
    assert with_zeros.pop("fay") == none, "it waits for a person"
    assert set(with_zeros.values()) == {"0"}


def test_extra_exercises_count_on_top_of_the_maximum(tmp_path):
    regular, extra = (find(name) for name in ("average_two", "best_query"))
    assert extra.extra and not regular.extra
    with open_gradebook(tmp_path) as book:
        book.add_assignment(FIRST)
        book.add_notebook(FIRST, FIRST)
        for each in (regular, extra):
            book.add_grade_cell(f"check_{each.id}", FIRST, FIRST, max_score=each.points, cell_type="code")
        for student, given in {"ann": (regular,), "bo": (regular, extra)}.items():
            book.add_student(student)
            book.add_submission(FIRST, student)
            for each in given:
                book.find_grade(f"check_{each.id}", FIRST, FIRST, student).auto_score = each.points
        book.db.commit()
    marks, points = imported_by_canvas(export(to=Target.CANVAS, course=tmp_path).text)
    assert points == {FIRST: str(regular.points)}
    assert marks == {("ann", FIRST): regular.points, ("bo", FIRST): regular.points + extra.points}
    assert [line[2:4] for line in rows(export(to=Target.CSV, course=tmp_path).text)[1:]] == [
        [str(regular.points), str(regular.points)],
        [str(regular.points + extra.points), str(regular.points)],
    ]
    assert {most for _, most, _ in gradebook_marks(tmp_path, FIRST).values()} == {regular.points}


def test_who_handed_nothing_in_has_no_mark_and_no_zero(course):
    for line in rows(export([FIRST], Target.CANVAS, course=course).text)[1:]:
        assert (line[0] in ("cy", "dee")) == (line[5] == "")
    assert [line for line in rows(export(["01"], Target.MOODLE, course=course).text) if line[1] == "-"] == [
        ["cy", "-"],
        ["dee", "-"],
    ]


@pytest.mark.slow
def test_no_cell_of_an_export_is_run_by_a_spreadsheet(odd):
    for to in Target:
        for line in rows(export(to=to, course=odd).text):
            for cell in line:
                start = cell.lstrip(' "')[:1]
                assert (
                    start not in ("=", "+", "-", "@", "\t", "\r")
                    or cell == "-"
                    or number(float(cell)) == cell
                ), cell
                assert not cell.startswith((" '=", '"='))


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-2+3", "'-2+3"),
        ("-2.5", "-2.5"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\t1", "'\t1"),
        ("  =1", "'  =1"),
        ('"=1', "'\"=1"),
        ("'=1", "''=1"),
        ("＝1", "'＝1"),
        ("a;=1", "a;'=1"),
        ("a\n-b", "a\n'-b"),
        ("a, @b", "a,' @b"),
        ("ann-marie", "ann-marie"),
        ("1.5", "1.5"),
        ("-", "-"),
        ("", ""),
        ("a=b", "a=b"),
        ("--1", "'--1"),
        ("-1e3", "'-1e3"),
    ],
)
def test_a_formula_becomes_text_and_a_number_stays_one(cell, kept):
    assert harmless_cell(cell) == kept


def test_any_text_survives_the_csv_itself():
    lines = [["a", 'b "c" d'], ["e,\nf", "ü;☂"], ["", "-1.5"]]
    assert rows(table(lines)) == lines


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (2.0, "2"),
        (100.0, "100"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-7, "0.0000001"),
        (-1.5, "-1.5"),
        (None, ""),
    ],
)
def test_a_mark_is_written_without_loss_or_exponent(value, text):
    assert number(value) == text
    assert not text or float(text) == value


def test_a_mark_that_is_no_number_is_named():
    with pytest.raises(UserError, match="holds nan as a mark"):
        number(float("nan"))


@pytest.mark.parametrize(
    ("wanted", "names"), [([], [FIRST, SECOND]), (["01"], [FIRST]), ([SECOND, "01"], [FIRST, SECOND])]
)
def test_notebooks_are_chosen_by_name_or_number(course, wanted, names):
    assert collect(wanted, course, None).names == names


def test_an_unknown_notebook_and_an_empty_course_are_named(course, tmp_path):
    with pytest.raises(
        UserError, match=f"notebook '09': nothing of it is graded; graded are {FIRST}, {SECOND}"
    ):
        export(["09"], course=course)
    with pytest.raises(UserError, match="nothing is graded yet"):
        export(course=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("to", list(Target))
def test_answers_that_nobody_has_marked_yet_are_said_with_every_file(course, to):
    """Bo's one answer waits; ann's are marked, also late in the second notebook."""
    assert export([FIRST], to, course=course).unmarked == [
        f"{FIRST}: 1 of 2 students wait for a person, with 1 answer; their marks are without these"
    ]
    assert export([SECOND], to, course=course).unmarked == []


def test_the_command_writes_the_file_whole_or_says_why_not(course, tmp_path):
    made = export(to=Target.CANVAS, out=tmp_path / "a" / "marks.csv", course=course)
    assert (tmp_path / "a" / "marks.csv").read_text() == made.text
    with pytest.raises(UserError, match="cannot be written"):
        export(out=tmp_path, course=course)
