"""The course is upgraded in mid-term: a class of an earlier commit (`older_class.json`),
with submissions graded and in flight.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from test_new_course import CELLS, EXERCISE, KEY
from warm_python import python

from autograder.gradebook.gradebook import gradebook_marks
from autograder.paths import ROOT

OLDER = json.loads(Path(__file__).with_name("older_class.json").read_text(encoding="utf-8"))
NAME = "01_sorting"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("upgrade")]  # one class, upgraded once


def typed(course, word, *words):
    """`kqa course WORD WORDS` for this course, in a process of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KQA_")}
    command = ("-m", "kqa_core.cli", "course", word, *words, "--course", course)
    return python(*command, cwd=course.parent, env=clean)


def kqa(course, word, *words):
    """The same; what it printed. It must succeed."""
    done = typed(course, word, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def recorded(course):
    """Marks, verdicts and what is published."""
    ledger = course / "judged" / "ledger.db"
    published = rows(ledger, "SELECT student, version, verdict FROM published ORDER BY student")
    gradebook = hashlib.sha256((course / "gradebook.db").read_bytes()).hexdigest()
    return gradebook, rows(ledger, "SELECT id, key, result FROM verdicts ORDER BY id"), published


def older_class(course):
    """The class as the earlier commit left it."""
    for name, text in OLDER.items():
        if not name.endswith(".sql"):
            path = course / {"course_key": ".course_key"}.get(name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (course / "judged").mkdir()
    for name, path in (("gradebook", course / "gradebook.db"), ("ledger", course / "judged" / "ledger.db")):
        with closing(sqlite3.connect(path)) as base:
            base.executescript(OLDER[f"{name}.sql"])
            if name == "ledger":  # iterdump leaves it out
                base.execute("PRAGMA user_version = 2")
                base.execute("UPDATE recorded SET gradebook = ?", (str(course / "gradebook.db"),))
                base.commit()
    return course


def upgrade(course):
    """A new version of the course: another fact and check of an exercise,
    another text in the notebook, one exercise more.
    """
    changes = (
        (course / "source" / NAME / "exercises" / "insert_sorted.py", "points=2", "points=3"),
        (course / "keys" / NAME / "insert_sorted.py", "(1, 2, 5, 8, 13)", "(0, 1, 2, 5, 8, 13)"),
        (course / "source" / NAME / f"{NAME}.py", "Return a new sorted list", "Give back a new sorted list"),
    )
    for path, before, after in changes:
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
    (course / "source" / NAME / "exercises" / "count_swaps.py").write_text(EXERCISE)
    (course / "keys" / NAME / "count_swaps.py").write_text(KEY)
    with (course / "source" / NAME / f"{NAME}.py").open("a") as text:
        text.write(CELLS)


def marks(course):
    return {student: (score, most) for student, (score, most, _) in gradebook_marks(course, NAME).items()}


def rows(path, query):
    with closing(sqlite3.connect(path)) as base:
        return base.execute(query).fetchall()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return older_class(tmp_path_factory.mktemp("term") / "sorting")


@pytest.fixture(scope="module")
def before(course):
    """The marks and the report that the new code makes of the earlier gradebook
    and ledger, without grading.
    """
    kqa(course, "report")
    return marks(course)


@pytest.fixture(scope="module")
def upgraded(course, before):
    """The steps of docs/operations.md."""
    kqa(course, "backup", course.parent / "before.tar.gz")
    upgrade(course)
    kqa(course, "build", "-n", "01")
    kqa(course, "grade", "01", "--workers", 1)
    return course


def test_what_the_earlier_version_recorded_is_read(before):
    assert before["ada"] == (5.0, 5.0) and before["cleo"] == (3.5, 5.0) and before["dan"] == (0.0, 5.0)
    assert "fay" not in before


def test_every_submission_is_judged_by_the_new_checks_and_those_in_flight_are_graded(upgraded):
    found = marks(upgraded)
    assert found["ada"] == found["fay"] == (6.0, 7.0), "3 + 3 points; the new exercise is unattempted"
    assert set(found) == {"ada", "bo", "cleo", "dan", "eve", "fay"} and {
        most for _, most in found.values()
    } == {7.0}
    ledger = upgraded / "judged" / "ledger.db"
    versions = dict(rows(ledger, "SELECT student, version FROM published"))
    assert versions == {"ada": 1, "bo": 1, "cleo": 2, "dan": 1, "eve": 1, "fay": 1}
    assert rows(ledger, "SELECT count(*) FROM verdicts WHERE NOT proved") == [(0,)]


def test_a_persons_mark_and_comment_survive_and_wait_for_a_look_at_the_new_answer(upgraded):
    assert marks(upgraded)["cleo"] == (4.5, 7.0), "3 by the checks, 1.5 by hand"
    page = (upgraded / "feedback" / "cleo" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Half of it is right." in page
    waits = "SELECT auto_score, needs_manual_grade FROM grade WHERE manual_score = 1.5"
    assert rows(upgraded / "gradebook.db", waits) == [(3.0, 1)]


def test_afterwards_nothing_is_judged_again(upgraded):
    ledger = upgraded / "judged" / "ledger.db"
    verdicts, said = (
        rows(ledger, "SELECT id, key FROM verdicts ORDER BY id"),
        (upgraded / "kqa.log").read_text(encoding="utf-8"),
    )
    kqa(upgraded, "grade", "01", "--workers", 1)
    assert rows(ledger, "SELECT id, key FROM verdicts WHERE result IS NOT NULL ORDER BY id") == verdicts
    new = (upgraded / "kqa.log").read_text(encoding="utf-8").removeprefix(said)
    assert "published: 01_sorting: 6 results" in new and " judged: " not in new and " recorded: " not in new


@pytest.mark.nightly
def test_a_class_whose_keys_lay_with_the_grader_gets_one_line_and_goes_on(tmp_path):
    """Its course.toml, or a link of its instructor, names the folder where the keys lay before."""
    course = older_class(tmp_path / "sorting")
    settings = course / "course.toml"
    text, keys = settings.read_text(encoding="utf-8"), course / "keys"
    before, scores = recorded(course), marks(course)
    for old in (ROOT / "autograder" / "keys", course.parent / "autograder" / "keys"):
        settings.write_text(f'{text}keys = "{os.path.relpath(old, course)}"\n', encoding="utf-8")
        for words in (("grade", "01"), ("prove",), ("report",)):
            refused = typed(course, *words)
            names_its_course = words != ("prove",)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert refused.stderr.count("\n") == 1 + names_its_course
            assert f"course.toml: names {old} for the answer keys, which are not there" in refused.stderr
            assert f"in {keys}: remove the line `keys`" in refused.stderr
    settings.write_text(text, encoding="utf-8")
    keys.rename(course / "moved")
    keys.symlink_to("../autograder/keys")
    refused = typed(course, "grade", "01")
    assert refused.returncode == 2 and "remove the link" in refused.stderr
    keys.unlink()
    (course / "moved").rename(keys)
    assert recorded(course) == before
    kqa(course, "grade", "01", "--workers", 1)
    after = marks(course)
    assert after == {**scores, "cleo": after["cleo"], "fay": (5.0, 5.0)}, "Cleo and Fay were in flight"
    assert {student for student, *_ in recorded(course)[2]} == {"ada", "bo", "cleo", "dan", "eve", "fay"}


def test_the_way_back_is_the_backup(upgraded, before):
    kqa(upgraded, "restore", upgraded.parent / "before.tar.gz", "--replace")
    assert marks(upgraded) == before
