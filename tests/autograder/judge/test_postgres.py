"""The gradebook in a real PostgreSQL server: the same rows as in SQLite, and readers beside the writer."""

from __future__ import annotations

import datetime
import threading
from dataclasses import replace

import pytest
from recorded import dump, judged, record
from tiny_course import KEYS, SKELETON

from autograder.answer_key import WrittenKey
from autograder.course.backup import backup
from autograder.course.restore import restore
from autograder.gradebook import feedback
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.judge.results import Judged, Status, SubmissionResult
from benchmarks import _postgres
from benchmarks._postgres import PASSWORD, programs
from kqa_core.errors import UserError

pytestmark = [
    pytest.mark.skipif(
        programs() is None, reason="PostgreSQL's server is not installed (Debian: apt install postgresql)"
    ),
    pytest.mark.slow,
    pytest.mark.xdist_group("postgres"),
]


@pytest.fixture(scope="module")
def server():
    with _postgres.server() as folder:
        yield folder


@pytest.fixture
def url(server):
    """A database of its own for a test."""
    return _postgres.new_database(server)


@pytest.fixture
def course(tmp_path, monkeypatch):
    why = WrittenKey("why", "Because.", ((1.0, "the reason"),), ())
    monkeypatch.setattr(feedback, "find_key", lambda name: {**KEYS, "why": why}[name])
    return tmp_path


def a_whole_term(course, db):
    """Everything the recorder does: first marks, a person's marks,
    regrades, a refusal, lateness, faults of ours.
    """
    record(course, judged(), judged(1.0, 2.0, "bo é ☂"), judged(student="cy"), db=db)
    with open_gradebook(course, db) as book:
        grade = book.find_grade("why", "tiny", "tiny", "ann")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.find_comment("why", "tiny", "tiny", "ann").manual_comment = "naïve, but „good“"
        book.find_assignment("tiny").duedate = datetime.datetime.fromtimestamp(1.7e9, datetime.UTC).replace(
            tzinfo=None
        )
        book.db.commit()
    broken = judged(student="di", received=1.7e9 + 60)
    first = replace(broken.result.exercises[0], status=Status.BROKEN, marks=None, outcome="error")
    broken = replace(broken, result=replace(broken.result, exercises=(first, *broken.result.exercises[1:])))
    refused = Judged(SubmissionResult("cy", "tiny", Status.REFUSED, reason="the file is empty"))
    record(course, judged(0.0, 2.0), broken, refused, db=db)


def test_both_databases_hold_the_same_after_the_same(course, url):
    a_whole_term(course, None)
    a_whole_term(course, url)
    in_sqlite, in_postgres = dump(course), dump(course, url)
    assert in_sqlite == in_postgres
    assert len(in_sqlite["grade"]) == 4 * 3 and "naïve" in " ".join(in_postgres["comment"])
    assert gradebook_marks(course, "tiny") == gradebook_marks(course, "tiny", url)
    assert gradebook_marks(course, "tiny", url)["ann"] == (3.5, 6.0, True)


def test_the_courses_own_settings_name_the_database(course, url):
    (course / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.db_url = {url!r}\n")
    record(course, judged())
    assert (
        gradebook_marks(course, "tiny", url) == {"ann": (2.0, 6.0, True)}
        and not (course / "gradebook.db").exists()
    )


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_reader_beside_the_writer_sees_whole_submissions_only(course, request, kind):
    db = request.getfixturevalue("url") if kind == "postgres" else None
    seen: list[dict[str, tuple[float, float, bool]]] = []
    failed: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                seen.append(gradebook_marks(course, "tiny", db))
        except BaseException as error:
            failed.append(error)

    with Recorder(course, db) as recorder:
        recorder.prepare(SKELETON)
        reader = threading.Thread(target=read)
        reader.start()
        try:
            for number in range(25):
                recorder.record(judged(2.0, 1.0, f"s{number:02}"))
        finally:
            done.set()
            reader.join()
    assert not failed
    assert [len(each) for each in seen] == sorted(len(each) for each in seen)
    assert {mark for each in seen for mark in each.values()} <= {(3.0, 6.0, True)}
    assert gradebook_marks(course, "tiny", db) == {f"s{number:02}": (3.0, 6.0, True) for number in range(25)}


@pytest.mark.parametrize(
    "break_it",
    [lambda url: url.replace(PASSWORD, "another-secret"), lambda url: url.replace("/kqa_", "/no_")],
)
def test_a_database_that_lets_nobody_in_is_one_line_without_a_password(course, url, break_it):
    with pytest.raises(UserError) as problem:
        Recorder(course, break_it(url))
    said = str(problem.value)
    assert "kqa:***@" in said and "cannot be opened" in said and "\n" not in said
    assert PASSWORD not in said and "another-secret" not in said


def test_a_server_that_goes_away_is_one_line_and_what_was_recorded_stays(course, server, url):
    import psycopg2

    with Recorder(course, url) as recorder:
        recorder.prepare(SKELETON)
        recorder.record(judged())
        with psycopg2.connect(
            host=str(server), user="kqa", password=PASSWORD, dbname="postgres"
        ) as connection:
            connection.cursor().execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )
        connection.close()
        with pytest.raises(UserError, match=r"bo, tiny could not be recorded \(OperationalError\)"):
            recorder.record(judged(student="bo"))
        recorder.record(judged(student="bo"))  # the next one finds the server again
    assert sorted(gradebook_marks(course, "tiny", url)) == ["ann", "bo"]


def test_a_backup_holds_its_rows_in_one_file_and_brings_them_back(course, server, url, tmp_path):
    course = course / "class"
    course.mkdir()
    a_whole_term(course, url)
    before = dump(course, url)
    backup(course, tmp_path / "class.tar.gz", url)
    with open_gradebook(course, url) as book:
        book.remove_student("ann")
    with pytest.raises(UserError, match="--replace"):
        restore(course, tmp_path / "class.tar.gz", db=url)
    made = restore(course, tmp_path / "class.tar.gz", replace=True, db=url)
    assert dump(course, url) == before
    assert "ann" not in gradebook_marks(made.replaced, "tiny") and "cy" in gradebook_marks(
        made.replaced, "tiny"
    )
    elsewhere = _postgres.new_database(server)
    restore(course, tmp_path / "class.tar.gz", replace=True, db=elsewhere)
    assert dump(course, elsewhere) == before
