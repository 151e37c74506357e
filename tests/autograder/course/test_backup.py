"""A class is backed up, its folder destroyed, and everything is as it was:
marks, report, exports; nothing is judged again.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sqlite3
import stat
import tarfile
import threading
import zlib
from contextlib import closing

import pytest
from reported_course import give
from small_course import NAME, config_of, outcome, write_students

from autograder.course import backup as backups
from autograder.course import restore as restoring
from autograder.course.backup import backup
from autograder.course.grade import grade
from autograder.course.restore import restore
from autograder.export.export import export
from autograder.export.marks import Target
from autograder.gradebook.due_dates import all_extensions, due_dates, extend, set_due
from autograder.grading import batch
from autograder.grading.ledger import Ledger, ledger_path
from autograder.people.groups import import_groups, read_groups
from autograder.people.roster import import_roster, read_people
from autograder.report.report import report
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

# one class, graded once
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unconfined"), pytest.mark.xdist_group("backup")]
STUDENTS = 4
PAIR, SOLO = ("s000", "s001"), "s002"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A small class: graded by the judge, marked by hand,
    with a roster, a due date, an extension and a group.
    """
    place = tmp_path_factory.mktemp("class")
    course, folder = write_students(place, STUDENTS)
    lines = [
        "id,first name,last name,email,section",
        *(f"s{each:03},Ann,No{each},s{each}@example.org,A" for each in range(STUDENTS)),
    ]
    (place / "roster.csv").write_text("\n".join(lines))
    (place / "groups.csv").write_text("\n".join(["group,student", *(f"pair,{who}" for who in PAIR)]))
    import_roster(place / "roster.csv", course)
    set_due(course, NAME, 1e9 + 60)
    extend(course, SOLO, NAME, 3600.0)
    import_groups(place / "groups.csv", course, [])
    assert grade(config_of(course, folder)).differences == []
    give(course, SOLO, "why_select", 1.0, "Well argued.")
    assert grade(config_of(course, folder)).differences == []
    return course


@pytest.fixture
def course(graded, tmp_path):
    return shutil.copytree(graded, tmp_path / "notebooks")


@pytest.fixture
def nothing_is_judged(monkeypatch):
    def run_tasks(*rest):
        raise AssertionError("something is judged")

    monkeypatch.setattr(batch, "run_tasks", run_tasks)


def state(course, out):
    """All that people see of a class."""
    pages = report(out, course).parent
    return {
        "marks": outcome(course),
        "report": {path.relative_to(pages): path.read_bytes() for path in sorted(pages.rglob("*.html"))},
        "feedback": {
            path.relative_to(course): path.read_bytes() for path in sorted((course / "feedback").rglob("*.*"))
        },
        "canvas": export(to=Target.CANVAS, course=course).text,
        "plain": export(to=Target.CSV, course=course).text,
        "people": (read_people(course), read_groups(course), all_extensions(course), due_dates(course)),
        "key": (course / ".course_key").read_bytes(),
    }


def destroy(course):
    for path in backups.class_parts(course):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def comments(folder):
    with closing(sqlite3.connect(folder / "gradebook.db")) as base:
        rows = base.execute("SELECT DISTINCT manual_comment FROM comment WHERE manual_comment IS NOT NULL")
        return [each for (each,) in rows]


def names(course):
    return {path.name for path in course.iterdir()}


def test_a_class_whose_folder_was_destroyed_comes_back_whole(course, tmp_path, nothing_is_judged):
    before = state(course, tmp_path / "before")
    assert "Well argued." in str(before["feedback"]) and len(before["report"]) > STUDENTS
    made = backup(course, tmp_path / "class.tar.gz")
    assert (made.students, made.left_out) == (STUDENTS, [])
    assert stat.S_IMODE((tmp_path / "class.tar.gz").stat().st_mode) == 0o600
    destroy(course)
    assert not backups.class_parts(course)
    assert restore(course, tmp_path / "class.tar.gz").replaced is None
    assert state(course, tmp_path / "restored") == before
    assert stat.S_IMODE((course / ".course_key").stat().st_mode) == 0o600
    again = grade(config_of(course, None))
    assert again.differences == [] and again.news == []
    assert state(course, tmp_path / "regraded") == before


def test_the_class_that_is_there_is_moved_and_never_lost(course, tmp_path, nothing_is_judged):
    backup(course, tmp_path / "class.tar.gz")
    give(course, SOLO, "why_select", 0.0, "Changed after the backup.")
    with pytest.raises(UserError, match=r"a class is there .*--replace"):
        restore(course, tmp_path / "class.tar.gz")
    made = restore(course, tmp_path / "class.tar.gz", replace=True)
    with (
        closing(sqlite3.connect(made.replaced / "gradebook.db")) as old,
        closing(sqlite3.connect(course / "gradebook.db")) as new,
    ):
        comments = "SELECT count(*) FROM comment WHERE manual_comment LIKE ?"
        assert old.execute(comments, ("Changed%",)).fetchone() == (1,) and new.execute(
            comments, ("Well%",)
        ).fetchone() == (1,)
    assert stat.S_IMODE(made.replaced.stat().st_mode) == 0o700
    assert {"received", "people", "judged", ".course_key"} <= names(made.replaced) & names(course)


def test_while_a_grading_runs_the_backup_holds_what_is_proved_and_the_next_one_judges_the_rest(
    course, tmp_path
):
    """A lease is held, a result is not proved yet, and the gradebook is being written;
    receiving and publishing wait.
    """
    published = outcome(course)
    entry = Submission("s003", NAME, "file", "digest", 1e9, 2)
    with Ledger(ledger_path(course)) as ledger, closing(sqlite3.connect(course / "gradebook.db")) as writing:
        assert ledger.take("running", entry) and ledger.busy()
        writing.execute("UPDATE grade SET auto_score = 0.25")  # not committed
        backup(course, tmp_path / "class.tar.gz")
        with pytest.raises(UserError, match="a grading runs"):
            restore(course, tmp_path / "class.tar.gz", replace=True)
        writing.rollback()
    destroy(course)
    restore(course, tmp_path / "class.tar.gz")
    assert outcome(course) == published
    with Ledger(ledger_path(course)) as ledger:
        assert not ledger.busy() and ledger.take("running", entry)


def test_a_backup_waits_until_what_is_being_published_is_published(course, tmp_path):
    from kqa_core.files import locked

    done = threading.Thread(target=backup, args=(course, tmp_path / "class.tar.gz"))
    with locked(course / "judged" / ".publishing"):
        done.start()
        with closing(sqlite3.connect(course / "gradebook.db")) as base, base:
            base.execute("UPDATE comment SET manual_comment = 'published meanwhile'")
    done.join()
    restore(course, tmp_path / "class.tar.gz", replace=True)
    assert comments(course) == ["published meanwhile"]


def rewritten(file, to, change):
    """The same archive with its entries changed:
    `change(name, content)` gives the new content, or None to leave it out.
    """
    with tarfile.open(file) as old, tarfile.open(to, "w:gz") as new:
        for entry in old:
            content = old.extractfile(entry).read() if entry.isreg() else b""
            content = change(entry, content)
            if content is not None:
                entry.size = len(content)
                new.addfile(entry, io.BytesIO(content))
    return to


def outside(entry, content):
    if entry.name == ".course_key":
        entry.name = "people/../../stolen"
    return content


def linked(entry, content):
    if entry.name == ".course_key":
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        return b""
    return content


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda entry, content: content + b" " if entry.name == "gradebook.db" else content,
            "gradebook.db is not as it was",
        ),
        (
            lambda entry, content: None if entry.name == "judged/ledger.db" else content,
            "ledger.db is not as it was",
        ),
        (lambda entry, content: None if entry.name == "digests.json" else content, "ends too early"),
        (lambda entry, content: None if entry.name == "class.json" else content, "is no backup of a class"),
        (
            lambda entry, content: content.replace(b'"notebooks"', b'"sorting"'),
            "is a backup of the course 'sorting'",
        ),
        (outside, "is no backup of a class"),
        (linked, "is no backup of a class"),
    ],
)
def test_a_file_that_is_not_what_was_written_changes_nothing(course, tmp_path, change, said):
    file = rewritten(made(course, tmp_path), tmp_path / "other.tar.gz", change)
    refused(course, file, said)
    assert not list(tmp_path.rglob("stolen"))


def made(course, tmp_path):
    backup(course, tmp_path / "class.tar.gz")
    return tmp_path / "class.tar.gz"


def refused(course, file, said):
    before, marks = names(course), outcome(course)
    with pytest.raises(UserError, match=said) as raised:
        restore(course, file, replace=True)
    assert "\n" not in str(raised.value) and "nothing was changed" in str(raised.value)
    assert names(course) == before and outcome(course) == marks


def with_a_bit_flipped(packed):
    """A gzip file with one bit flipped near its middle, such that it holds something else.
    Some bits of the format are unused.
    """
    for place in range(len(packed) // 2, len(packed)):
        changed = packed[:place] + bytes([packed[place] ^ 1]) + packed[place + 1 :]
        try:
            if gzip.decompress(changed) != gzip.decompress(packed):
                return changed
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return changed
    raise AssertionError("no bit matters")


def test_a_foreign_cut_or_flipped_file_is_refused_in_one_line(course, tmp_path):
    whole = made(course, tmp_path).read_bytes()
    half, flipped, foreign = tmp_path / "half", tmp_path / "flipped", tmp_path / "foreign"
    half.write_bytes(whole[: len(whole) // 2])
    flipped.write_bytes(with_a_bit_flipped(whole))
    for content in (b"", b"no archive", gzip.compress(b"no archive")):
        foreign.write_bytes(content)
        refused(course, foreign, "is no backup of a class")
    refused(course, half, "is damaged")
    refused(course, flipped, "is damaged")
    refused(course, tmp_path / "nowhere", "cannot be read")


def test_a_full_disk_leaves_no_half_backup_and_no_half_restored_class(course, tmp_path, monkeypatch):
    file, folder = made(course, tmp_path), tmp_path / "disk"
    folder.mkdir()

    def full(*rest, **more):
        raise OSError(28, os.strerror(28))

    before, marks = names(course), outcome(course)
    with monkeypatch.context() as patched:
        patched.setattr(backups, "_add_text", full)
        with pytest.raises(UserError, match="No space left on device"):
            backup(course, folder / "class.tar.gz")
    assert list(folder.iterdir()) == []
    moves = []

    def twelfth_fails(path, to, moved):
        moves.append(path)
        return full() if len(moves) == 12 else move(path, to, moved)

    move = restoring._move
    with monkeypatch.context() as patched:
        patched.setattr(restoring, "_move", twelfth_fails)
        with pytest.raises(UserError, match="No space left on device"):
            restore(course, file, replace=True)
    assert names(course) - {"kqa.log"} == before - {"kqa.log"} and outcome(course) == marks


def test_an_existing_file_and_a_course_without_a_class_are_said(course, tmp_path):
    file = made(course, tmp_path)
    with pytest.raises(UserError, match="is there already; name a new file"):
        backup(course, file)
    destroy(course)
    with pytest.raises(UserError, match="no class has left anything here"):
        backup(course, tmp_path / "other.tar.gz")


def test_links_in_what_was_collected_are_left_out_and_named(course, tmp_path):
    (course / "submitted" / "eve").mkdir(parents=True)
    (course / "submitted" / "eve" / "link.ipynb").symlink_to("/etc/passwd")
    assert backup(course, tmp_path / "class.tar.gz").left_out == ["submitted/eve/link.ipynb"]
    restore(course, tmp_path / "class.tar.gz", replace=True)
    assert list((course / "submitted" / "eve").iterdir()) == []


def test_two_restores_within_one_second_keep_both_classes_that_were_there(course, tmp_path, monkeypatch):
    monkeypatch.setattr(restoring.time, "strftime", lambda *rest: "20261125-120000")
    backup(course, tmp_path / "class.tar.gz")
    kept = [restore(course, tmp_path / "class.tar.gz", replace=True).replaced.name for _ in range(3)]
    assert kept == ["replaced-20261125-120000", "replaced-20261125-120000-2", "replaced-20261125-120000-3"]
    assert all("gradebook.db" in names(course / name) for name in kept)
