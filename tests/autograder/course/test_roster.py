"""The roster: what Canvas, Moodle and people write, taken into nbgrader's gradebook whole or not at all."""

from __future__ import annotations

import pytest
from another_course import working_on
from reported_course import everything, graded_course, submission

from autograder.course.new_course import new_course
from autograder.export.export import export
from autograder.export.marks import Target
from autograder.gradebook.gradebook import open_gradebook
from autograder.people.roster import import_roster, read_people, roster_names
from autograder.report.report import report
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.store import receive
from kqa_core.errors import UserError

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Quiz (12)
,,,,,Manual Posting
    Points Possible,,,,,10
"Lovelace, Ada",101,S1,ada,Section A,3
"Student, Test",102,,8f1c,Section A,
Bo van Dam,103,S3,bo,Section B,
"""
GRADES = """\
First name,Surname,ID number,Institution,Email address,"Quiz (Real)"
Ada,Lovelace,S1,,ada@x.org,7.00
Bo,van Dam,S3,,bo@x.org,-
"""
PARTICIPANTS = """\
First name;Last name;Email address;Groups
Ada;Lovelace;ada@x.org;Section A
"""
PLAIN = "id,first name,last name,email,section\nada,Ada,Lovelace,ada@x.org,A\nbo,Bo,van Dam,,B\n"


def brought(tmp_path, text, **options):
    path = tmp_path / "roster.csv"
    path.write_text(text)
    return import_roster(path, tmp_path, **options)


def listed(course):
    return {
        each.id: (each.first, each.last, each.email, each.section) for each in read_people(course).values()
    }


def test_a_nickname_in_quotes_is_kept_and_stops_nobody(tmp_path):
    brought(tmp_path, CANVAS.replace("Bo van Dam", '"O\'Neil, Seán ""Shay"""'))
    assert listed(tmp_path)["bo"] == ("Seán “Shay”", "O'Neil", "", "Section B")
    assert listed(tmp_path)["ada"][0] == "Ada"
    with pytest.raises(UserError, match="holds <, >"):
        brought(tmp_path, CANVAS.replace("Bo van Dam", '"O\'Neil, Seán ""onload=x"'))


def test_the_list_has_sections_and_an_import_says_whom_it_leaves_out(tmp_path, kqa_in_process, monkeypatch):
    new_course(tmp_path / "course")
    (tmp_path / "roster.csv").write_text(CANVAS)
    monkeypatch.chdir(tmp_path / "course")
    with working_on(tmp_path / "course"):
        _, printed = kqa_in_process("course", "roster", "import", tmp_path / "roster.csv")
        assert "left out Student, Test: is no student, but Canvas's own" in printed.out
        _, printed = kqa_in_process("course", "roster", "list")
    assert printed.out == "ada  Ada Lovelace  Section A\nbo  Bo van Dam  Section B\n"


def test_each_platforms_file_gives_names_emails_and_sections(tmp_path):
    assert brought(tmp_path, CANVAS).column == "SIS Login ID"
    assert listed(tmp_path) == {
        "ada": ("Ada", "Lovelace", "", "Section A"),
        "bo": ("Bo van", "Dam", "", "Section B"),
    }
    changed = brought(tmp_path, PLAIN).changed
    assert changed == [
        "ada: nothing → ada@x.org, Section A → A",
        "bo: Bo van → Bo, Dam → van Dam, Section B → B",
    ]
    assert listed(tmp_path)["bo"] == ("Bo", "van Dam", "", "B")


def test_the_ids_are_those_that_the_course_knows(tmp_path):
    assert brought(tmp_path, GRADES).column == "Email address"  # a new course: the best heading
    other = tmp_path / "other"
    other.mkdir()
    brought(other, "id\nS1\nS3\n")
    again = brought(other, GRADES)
    assert again.column == "ID number" and listed(other)["S1"] == ("Ada", "Lovelace", "ada@x.org", "")
    assert brought(other, GRADES, column="email address").added[0] == "ada@x.org: Ada Lovelace, ada@x.org"


def test_the_same_file_again_changes_nothing_and_an_empty_cell_erases_nothing(tmp_path):
    brought(tmp_path, PLAIN)
    again = brought(tmp_path, PLAIN)
    assert (again.added, again.changed, again.gone) == ([], [], [])
    less = brought(tmp_path, "id,first name,section\nada,,\n")
    assert (less.added, less.changed, less.gone) == ([], [], ["bo"])
    assert listed(tmp_path)["ada"] == ("Ada", "Lovelace", "ada@x.org", "A") and "bo" in listed(tmp_path)


def test_moodles_participants_are_read_with_semicolons(tmp_path):
    brought(tmp_path, PARTICIPANTS)
    assert listed(tmp_path) == {"ada@x.org": ("Ada", "Lovelace", "ada@x.org", "Section A")}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (",Cy,Dee,,", "has no id; expected the student's id"),
        ("ada,Ada,Again,,", "id 'ada' stands in line 2, too"),
        ("../cy,Cy,Dee,,", "cannot be the name of a folder|is no name of a folder"),
        ("cy,<b>Cy</b>,Dee,,", "holds <, >"),
        ("cy,Cy,Dee,nowhere,", "email 'nowhere' has no @"),
    ],
)
def test_one_bad_line_names_itself_and_nothing_is_imported(tmp_path, line, said):
    with pytest.raises(UserError, match=rf"roster\.csv: line 4: .*({said}).*nothing was imported"):
        brought(tmp_path, f"{PLAIN}{line}\n")
    assert listed(tmp_path) == {}


def test_a_file_that_is_no_roster_is_named_with_what_was_expected(tmp_path):
    with pytest.raises(
        UserError, match=r"roster\.csv: line 1: the headings are colour, size; expected Canvas's gradebook"
    ):
        brought(tmp_path, "colour,size\nred,1\n")


@pytest.mark.slow
def test_names_stand_in_formgrader_the_report_and_the_export(tmp_path):
    course = graded_course(
        tmp_path / "course", [submission("ada", everything()), submission("bo", everything("not yet"))]
    )
    (tmp_path / "roster.csv").write_text(PLAIN)
    import_roster(tmp_path / "roster.csv", course)
    with open_gradebook(course) as book:  # what formgrader's lists show
        shown = {each["id"]: (each["last_name"], each["first_name"]) for each in book.student_dicts()}
    assert shown == {"ada": ("Lovelace", "Ada"), "bo": ("van Dam", "Bo")}
    index = report(tmp_path / "report", course)
    assert "<small>Ada Lovelace, A</small>" in index.read_text()
    assert "<h1>Ada Lovelace</h1>" in (tmp_path / "report/students/ada.html").read_text()
    assert '"Lovelace, Ada",,,ada,A,' in export(to=Target.CANVAS, course=course).text
    assert ",Bo van Dam,B,\n" in export(to=Target.CSV, course=course).text


def test_an_imported_roster_says_who_takes_the_course_also_after_a_second_import(tmp_path):
    assert roster_names(tmp_path) is None
    brought(tmp_path, "id\nada\nbo\n")  # without a name, as the recorder adds students, too
    assert roster_names(tmp_path) == {"ada", "bo"}
    brought(tmp_path, "id\ncleo\n")
    with open_gradebook(tmp_path) as book:
        book.add_student("dan", first_name="Dan")  # by formgrader
        book.add_student("eve")  # by the recorder
    assert roster_names(tmp_path) == {"ada", "bo", "cleo", "dan"}


def test_in_an_older_course_names_are_a_roster_if_all_who_submitted_have_one(tmp_path):
    with open_gradebook(tmp_path) as book:
        book.add_student("ada", first_name="Ada")
        book.add_student("bo", email="bo@x.org")
    for student in ("ada", "bo", "cleo"):
        (tmp_path / "submitted" / student / "01").mkdir(parents=True)
        (tmp_path / "submitted" / student / "01" / "01.ipynb").write_text("{}")
        receive(tmp_path / "submitted", tmp_path / "received", ["01"], Limits())
        assert roster_names(tmp_path) == (None if student == "cleo" else {"ada", "bo"})


def test_a_gradebook_that_cannot_be_read_stops_nobody_from_submitting(tmp_path):
    (tmp_path / "gradebook.db").mkdir()
    assert roster_names(tmp_path) is None
    (tmp_path / "people").mkdir()
    (tmp_path / "people" / "roster.csv").write_text("student\nada\n")
    assert roster_names(tmp_path) == {"ada"}
