"""Marks set into the files that Canvas and Moodle export themselves:
every id and every other column as it came.
"""

from __future__ import annotations

import functools

import pytest
import typer
from test_export import FIRST, SECOND, fill, rows

from autograder.commands import exporting
from autograder.export.export import export
from autograder.export.marks import Target
from autograder.paths import course_folder
from kqa_core.errors import UserError

pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("roster"),  # from one gradebook
]
ITEM = "01 Attention as a Lookup (4711)"
CANVAS = f'''\
Student,ID,SIS User ID,SIS Login ID,Section,Quiz (12),{ITEM},Final Score
,,,,,,Manual Posting,
    Points Possible,,,,,10,4,(read only)
"Doe, Ann",101,S1,ann,"Sec ""A""",-3,,81.5
"=""=cmd()""",102,bo,login-of-bo,B,,,
"Cy, Dee",103,S3,cy,B,,N/A,
"Ex, Cused",104,S4,ex,B,,EX,
"Student, Test",105,,8f1c,B,,,
'''
MOODLE = """\
"First name",Surname,Username,"ID number","Assignment: Quiz (Real)","Assignment: 01 attention as a lookup (Real)"
Ann,Doe,ann,1,7.00,-
Bo,Doe,x1,bo,-,
Cy,Doe,cy,3,-,
"""  # noqa: E501 - the first line of a file is its header
WORKSHEET = """\
Identifier,"Full name","ID number",Status,Grade,"Maximum grade","Feedback comments"
"Participant 9001","Ann Doe",ann,Submitted,,4.00,well
"Participant 9002","Cy Doe",cy,"No submission",,4.00,
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    scores = {"ann": 2.5, "bo": 0.0, "ex": 4.0, "gone": 1.0}
    return fill(tmp_path_factory.mktemp("course"), ("ex", "gone"), scores)


def exported(course, tmp_path, text, to, names=(FIRST,), encoding="utf-8"):
    roster = tmp_path / "roster.csv"
    roster.write_text(text, encoding=encoding)
    return export(names, to, course=course, roster=roster)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_canvas_roster_keeps_every_id_and_gets_only_our_marks(course, tmp_path, encoding):
    made = exported(course, tmp_path, CANVAS, Target.CANVAS, encoding=encoding)
    before, after = rows(CANVAS), rows(made.text)
    cells = [
        (line[1], *pair)
        for was, line in zip(before, after, strict=True)
        for pair in zip(was, line, strict=True)
    ]
    changed = [(who, old, new) for who, old, new in cells if old != new]
    assert changed == [("101", "", "2.5"), ("102", '="=cmd()"', '\'="=cmd()"'), ("102", "", "0")]
    assert made.differences == ["gone: has marks, but no line in the roster"]
    assert after[5][6] == "N/A" and after[6][6] == "EX" and after[7][6] == ""


def test_a_notebook_without_a_column_gets_one_at_the_end_with_its_points(course, tmp_path):
    made = exported(course, tmp_path, CANVAS, Target.CANVAS, (FIRST, SECOND))
    head, posting, points, ann, bo, *_ = rows(made.text)
    assert head[-1] == SECOND and (posting[-1], points[-1], ann[-1], bo[-1]) == ("", "10", "5", "")


def test_an_item_worth_other_points_is_named(course, tmp_path):
    made = exported(course, tmp_path, CANVAS.replace(",10,4,", ",10,100,"), Target.CANVAS)
    assert f"{ITEM}: worth 100 points in the roster, 4 in the gradebook" in made.differences


def test_a_semicolon_file_is_read_too(course, tmp_path):
    text = "Student;ID;SIS User ID;SIS Login ID;Section;01 attention as a lookup (1)\nDoe;101;;ann;A;\n"
    assert rows(exported(course, tmp_path, text, Target.CANVAS).text)[1] == [
        "Doe",
        "101",
        "",
        "ann",
        "A",
        "2.5",
    ]


def test_a_moodle_export_keeps_its_columns_and_has_hyphens_for_no_grade(course, tmp_path):
    made = exported(course, tmp_path, MOODLE, Target.MOODLE)
    assert [line[-1] for line in rows(made.text)[1:]] == ["2.5", "0", "-"]
    assert [line[:-1] for line in rows(made.text)] == [line[:-1] for line in rows(MOODLE)]


def test_a_moodle_worksheet_gets_its_grades(course, tmp_path):
    made = exported(course, tmp_path, WORKSHEET, Target.MOODLE)
    _, ann, cy = rows(made.text)
    assert (ann[4], cy[4]) == ("2.5", "-") and ann[5:] == ["4.00", "well"] and ann[0] == "Participant 9001"


@pytest.mark.parametrize(
    ("text", "to", "names", "said"),
    [
        (MOODLE, Target.CANVAS, (FIRST,), "is not a canvas export"),
        ("name,mark\nann,1\n", Target.MOODLE, (FIRST,), "is not a moodle export"),
        (
            CANVAS + CANVAS.splitlines()[3] + "\n",
            Target.CANVAS,
            (FIRST,),
            "2 lines have SIS Login ID 'ann'; keep one",
        ),
        (CANVAS, Target.CSV, (FIRST,), "a roster is for"),
        (
            CANVAS.replace("S1,ann", "bo,ann").replace("102,bo,", "102,,"),
            Target.CANVAS,
            (FIRST,),
            "row 4 is both 'ann' and 'bo'",
        ),
        (
            CANVAS.replace("Quiz (12)", "01_attention as-a-lookup (9)"),
            Target.CANVAS,
            (FIRST,),
            f"has 2 columns for {FIRST}",
        ),
        (WORKSHEET, Target.MOODLE, (FIRST, SECOND), "is the worksheet of one assignment"),
        ("Student,ID\n", Target.CANVAS, (FIRST,), "holds no student"),
        ('Student,ID\n"a', Target.CANVAS, (FIRST,), "is not a CSV in UTF-8"),
        ("Student,ID\na,b,c\n", Target.CANVAS, (FIRST,), "row 2 has 3 cells, the headings are 2"),
    ],
)
def test_a_roster_that_does_not_fit_is_named_in_one_line(course, tmp_path, text, to, names, said):
    with pytest.raises(UserError) as problem:
        exported(course, tmp_path, text, to, names)
    assert said in str(problem.value) and "\n" not in str(problem.value)


def test_a_roster_that_is_not_there_or_no_text_is_named(course, tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        export(to=Target.CANVAS, roster=tmp_path / "none.csv", course=course)
    (tmp_path / "wide.csv").write_bytes(b"\xff\xfeS\0t\0")
    with pytest.raises(UserError, match="is not a CSV in UTF-8"):
        export(to=Target.CANVAS, roster=tmp_path / "wide.csv", course=course)


@pytest.mark.slow
def test_the_command_prints_or_writes_and_fails_where_somebody_does_not_fit(course, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    app = typer.Typer()
    app.callback()(lambda: None)
    exporting.register(app)
    monkeypatch.setattr("autograder.export.export.export", functools.partial(export, course=course))
    plain = CliRunner().invoke(app, ["export", "01"])
    assert plain.exit_code == 0 and f"ann,{FIRST},2.5,4,0," in plain.stdout
    (tmp_path / "roster.csv").write_text(CANVAS)
    options = [
        "--to",
        "canvas",
        "--roster",
        str(tmp_path / "roster.csv"),
        "--out",
        str(tmp_path / "marks.csv"),
    ]
    made = CliRunner().invoke(app, ["export", "01", *options])
    assert made.exit_code == 1 and made.stdout == f"export {tmp_path / 'marks.csv'}\n"
    assert made.stderr.splitlines() == [
        f"course {course_folder()}",
        f"UNMARKED {FIRST}: 1 of 4 students wait for a person, with 1 answer; their marks are without these",
        "NOT RECONCILED gone: has marks, but no line in the roster",
    ]
    assert rows((tmp_path / "marks.csv").read_text())[3][6] == "2.5"
