"""Due dates and extensions: set by one command,
shown to students, and honoured wherever lateness is asked.
"""

from __future__ import annotations

import functools
import time

import nbformat
import pytest
import typer
from reported_course import everything, graded_course, submission
from small_course import NAME, write_course

from autograder.build.release import release
from autograder.commands import deadlines
from autograder.commands.receiving import moment
from autograder.gradebook.due_dates import extend, extensions, set_due, shown_time
from autograder.gradebook.gradebook import open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.report.facts import gather
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.cells import ADDED, as_built
from autograder.submissions.store import manifests, receive
from kqa_core.check.cockpit_view import Cockpit, due_line
from kqa_core.check.registry import all_exercises
from kqa_core.errors import UserError

DUE, DAY = 1.7e9, 86400.0


@pytest.fixture
def course(tmp_path, monkeypatch):
    root = write_course(tmp_path / "course")
    (root / "nbgrader_config.py").write_text(
        "from autograder.build.nbgrader_stubs import configure\nconfigure(get_config())\n"
    )
    (root / "course.toml").write_text('zone = "Europe/Rome"\n')
    (root / "source" / NAME / f"{NAME}.py").touch()
    monkeypatch.setattr("autograder.paths._chosen", root)
    for name, at in (("ada", DUE - 5), ("bo", DUE + 2 * DAY)):
        folder = tmp_path / "in" / name / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(name)
        receive(tmp_path / "in", root / "received", [NAME], Limits(), at)
    return root


def kqa(*words):
    app = typer.Typer()
    deadlines.register(app)
    return functools.partial(app, list(words), standalone_mode=False)


def late(course):
    with Recorder(course) as recorder:
        return {
            each.student: each.late
            for each in manifests(course / "received", {NAME: DUE}, recorder.extensions())
        }


def test_a_due_date_is_set_listed_and_taken_back(course, capsys):
    kqa("due", "01", "2026-12-01T23:59+01:00")()
    kqa("due")()
    said = capsys.readouterr().out.splitlines()
    assert said[1] == f"{NAME}: 1 December 2026, 23:59 (UTC+01:00)" and said[0].startswith(said[1])
    kqa("due", "01", "--none")()
    kqa("due", "01")()
    assert capsys.readouterr().out.splitlines()[-1] == f"{NAME}: no due date"


@pytest.fixture
def in_tokyo(monkeypatch):
    """A machine in another zone than the course."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_time_without_a_zone_is_the_courses_wherever_the_machine_is(course, in_tokyo, capsys):
    kqa("due", "01", "2026-07-01T23:59")()
    assert f"{NAME}: 1 July 2026, 23:59 (UTC+02:00);" in capsys.readouterr().out
    kqa("extend", "bo", "01", "--until", "2026-07-02T12:00")()
    assert "12 h 1 min, until 2 July 2026, 12:00 (UTC+02:00);" in capsys.readouterr().out
    assert moment("2020-01-01T00:00") == moment("2020-01-01T00:00+01:00")
    (course / "course.toml").write_text("")
    assert moment("2020-01-01T00:00") == moment("2020-01-01T00:00+09:00")


def test_days_of_an_extension_end_at_the_same_time_of_the_day_when_summer_time_ends(course, in_tokyo, capsys):
    kqa("due", "01", "2026-10-23T23:59")()
    kqa("extend", "bo", "01", "--days", "3")()
    assert "until 26 October 2026, 23:59 (UTC+01:00);" in capsys.readouterr().out


def test_students_see_the_due_date_under_the_title_and_in_the_cockpit(course, tmp_path, monkeypatch):
    path = course / "source" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# Attention\n\nText."))
    nbformat.write(notebook, path)
    set_due(course, NAME, DUE)
    (made,) = release([NAME], course, out=tmp_path / "copy")
    text = "14 November 2023, 23:13 (UTC+01:00)"
    assert nbformat.read(made, as_version=4).cells[0].source == (
        f"# Attention\n{ADDED[0]}\n\n*Due {text}*\n\n{ADDED[1]}\n\nText."
    )
    assert due_line(made.parent) == f"due {text}"
    monkeypatch.setattr("kqa_core.check.cockpit_view.notebook_folder", lambda name: made.parent)
    cockpit = Cockpit([each for each in all_exercises() if each.notebook == NAME], {}, set())
    assert f"due {text}" in str(cockpit) and f"; due {text}</summary>" in cockpit.to_html()
    set_due(course, NAME, None)
    (made,) = release([NAME], course, out=tmp_path / "copy")
    assert due_line(made.parent) == "" and "Due" not in nbformat.read(made, as_version=4).cells[0].source


@pytest.mark.slow
def test_an_extension_is_granted_before_and_after_the_submission_and_moves_with_the_due_date(course, capsys):
    set_due(course, NAME, DUE)
    assert late(course) == {"ada": 0.0, "bo": 2 * DAY}
    kqa("extend", "bo", "01", "--days", "3")()
    assert late(course) == {"ada": 0.0, "bo": 0.0}
    kqa("extend", "bo", "01", "--until", "2023-11-15T23:13:20+01:00")()
    assert late(course)["bo"] == DAY
    kqa("extend")()
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == f"bo, {NAME}: 1 day, until 15 November 2023, 23:13 (UTC+01:00)"
    )
    kqa("extend", "bo", "01", "--none")()
    assert late(course)["bo"] == 2 * DAY


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("extend", "bob", "01", "--days", "3"), "student 'bob': is unknown in this course; did you mean bo"),
        (
            ("extend", "bo", "01", "--days", "-1"),
            "is due 14 November 2023, 23:13 .* expected a time after that",
        ),
        (("extend", "bo", "01", "--days", "1", "--none"), "one of --days, --until and --none"),
        (("due", "01", "tomorrow"), "due tomorrow: is no time"),
        (("due", "77", "2026-12-01T23:59"), "notebook '77'"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line_and_changes_nothing(course, words, said):
    set_due(course, NAME, DUE)
    with pytest.raises(UserError, match=said):
        kqa(*words)()
    assert late(course)["bo"] == 2 * DAY


def test_without_a_due_date_nothing_can_be_extended(course):
    with pytest.raises(
        UserError, match="has no due date, so nothing can be extended; set one with `kqa course due 01 TIME`"
    ):
        kqa("extend", "bo", "01", "--days", "1")()


@pytest.mark.slow
def test_penalties_and_the_report_honour_an_extension_that_was_granted_before_the_first_recording(tmp_path):
    course = tmp_path / "course"
    course.mkdir()
    (course / "nbgrader_config.py").write_text(
        'c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
    )
    set_due(course, NAME, DUE)
    extend(course, "bo", NAME, 3 * DAY)
    at = DUE + 2 * DAY
    results = [
        submission("bo", everything(), received=at),
        submission("cy", everything(), received=at, late=2 * DAY),
    ]
    graded_course(course, results)
    (facts,) = gather(course)
    assert {student: mark[0] for student, mark in facts.marks.items()} == {"bo": 2.0, "cy": 0.0}
    assert facts.late == ["cy"]
    with open_gradebook(course) as book:
        assert extensions(course, book) == {("bo", NAME): 3 * DAY}
        assert book.find_submission(NAME, "bo").extension.days == 3


def test_a_zone_that_does_not_exist_is_named(course):
    (course / "course.toml").write_text('zone = "Rome"\n')
    with pytest.raises(UserError, match='zone = "Rome" is no time zone; expected one such as "Europe/Rome"'):
        shown_time(DUE)


def test_what_a_release_adds_to_a_text_is_taken_off_again_and_nothing_else():
    begin, end = ADDED
    added = f"{begin}\n\n*Due soon*\n\n{end}\n"
    for text in ("# Title\n", "# Title\n\nMore.", f"no {begin} ends", f"{end} first", ""):
        assert as_built(text) == text
        assert as_built(added + text) == text and as_built(f"# A\n{added}{added}{text}") == f"# A\n{text}"
