"""The ledger: each task is judged by one, a dead owner's lease is free, and nothing unproved is forgotten;
and the version that a new gradebook is stamped with.
"""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from autograder.gradebook import gradebook
from autograder.gradebook.gradebook import newest_schema, open_gradebook
from autograder.grading import ledger as module
from autograder.grading.code_digest import row_key
from autograder.grading.config import JudgeConfig
from autograder.grading.ledger import Ledger, as_received
from autograder.grading.published import graded_notebooks, latest, latest_cells
from autograder.judge import seeds
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

ENTRY = Submission("ann", "01", "ann/01/1.ipynb", "ab" * 32, 1e9, 1)
GRADE = ExerciseResult("double", Status.GRADED, "right", 1.0, 1, "right")
JUDGED = Judged(
    SubmissionResult(
        "ann", "01", Status.GRADED, (GRADE,), None, ("a note",), "ab" * 32, 1e9, 1, 0.0, "limits"
    ),
    (GraftedCell("solution", "code", "x = '\u2028é'", "double"),),
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "judged" / "ledger.db"


def opened(path, pid=None):
    """A ledger; with `pid`, one that another process opened."""
    made = Ledger(path)
    if pid is not None:
        made._owner = (made._owner[0], pid, 1.0)
    return made


def test_a_result_comes_back_as_it_went_in(path):
    with opened(path) as ledger:
        assert ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        assert ledger.results(["k", "other"]) == {"k": JUDGED.result}
        assert (ledger.cells_of("k"), ledger.cells_of("other")) == (JUDGED.cells, None)


def test_a_task_is_taken_by_one(path):
    with opened(path) as one, opened(path) as two:
        assert one.take("k", ENTRY) and not two.take("k", ENTRY)
        one.release("k")
        assert two.take("k", ENTRY)


def take_and_die(path):
    Ledger(path).take("k", ENTRY)


@pytest.mark.slow
def test_the_lease_of_a_dead_process_is_free_at_once(path):
    process = multiprocessing.get_context("spawn").Process(target=take_and_die, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == 0
    with opened(path) as ledger:
        assert ledger.to_do(["k"]) == (["k"], [], []) and ledger.take("k", ENTRY)


def test_a_number_that_another_process_has_now_holds_no_lease(path):
    import os

    with opened(path, pid=os.getppid()) as gone, opened(path) as ledger:
        assert gone.take("k", ENTRY) and ledger.take("k", ENTRY)


def test_a_lease_of_another_machine_holds_until_its_time_is_up(path, monkeypatch):
    with opened(path) as away, opened(path) as ledger:
        away._owner = ("elsewhere", 1, 1.0)
        assert away.take("k", ENTRY) and not ledger.take("k", ENTRY)
        monkeypatch.setattr(
            module.time, "time", lambda now=module.time.time: now() + module.LEASE_SECONDS + 1
        )
        assert ledger.take("k", ENTRY)


def test_rows_count_when_their_run_is_proved_and_go_when_it_deviates(path):
    with opened(path) as ledger:
        for key in "ab":
            ledger.take(key, ENTRY)
            ledger.keep(key, JUDGED)
            if key == "a":
                ledger.proved()
        assert ledger.to_do(["a", "b"]) == ([], [], ["b"])
        ledger.take_back()
        assert ledger.to_do(["a", "b"]) == (["b"], [], []) and set(ledger.results(["a", "b"])) == {"a"}


@pytest.mark.parametrize("holds", [True, False])
def test_rows_of_a_run_that_was_cut_short_stand_or_fall_with_the_next_canaries(path, holds):
    with opened(path, pid=2**22 + 1) as gone, opened(path) as ledger:
        gone.take("k", ENTRY)
        gone.keep("k", JUDGED)
        assert ledger.to_do(["k"]) == ([], ["k"], [])
        ledger.proved() if holds else ledger.take_back()
        assert ledger.to_do(["k"]) == (([], [], []) if holds else (["k"], [], []))


@pytest.mark.parametrize("holds", [True, False])
def test_what_a_run_that_failed_leaves_is_free_for_the_next_one_of_the_same_process(path, holds):
    with pytest.raises(KeyboardInterrupt), opened(path) as failed:
        for key in "abc":
            failed.take(key, ENTRY)
        failed.keep("a", JUDGED)
        failed.proved()
        failed.keep("b", JUDGED)
        assert failed.to_do(["a", "b", "c"]) == ([], [], ["b", "c"]), "a lease goes on in the next run"
        raise KeyboardInterrupt
    with opened(path) as ledger:
        assert ledger.to_do(["a", "b", "c"]) == (["c"], ["b"], [])
        ledger.proved() if holds else ledger.take_back()
        assert ledger.to_do(["a", "b", "c"])[0] == (["c"] if holds else ["b", "c"])


def test_a_result_is_not_taken_again_though_its_owner_is_dead(path):
    with opened(path, pid=2**22 + 1) as gone, opened(path) as ledger:
        gone.take("k", ENTRY)
        gone.keep("k", JUDGED)
        assert not ledger.take("k", ENTRY) and ledger.results(["k"]) == {"k": JUDGED.result}


def test_judging_again_forgets_results_and_no_leases(path):
    with opened(path) as ledger, opened(path) as other:
        ledger.take("a", ENTRY)
        ledger.keep("a", JUDGED)
        other.take("b", ENTRY)
        ledger.forget(["a", "b"])
        assert ledger.take("a", ENTRY) and not ledger.take("b", ENTRY)


def test_everything_that_decides_a_result_is_in_its_key(monkeypatch):
    config = JudgeConfig(tier="bubblewrap", key=b"k")
    base = (ENTRY, "{}", "code", config)
    others = [
        (replace(ENTRY, sha256="cd"), *base[1:]),
        (replace(ENTRY, student="bob"), *base[1:]),
        (replace(ENTRY, notes=("n",)), *base[1:]),
        (ENTRY, "{ }", *base[2:]),
        (*base[:2], "other", config),
        (*base[:3], replace(config, limits=Limits(call_seconds=1.0))),
        (*base[:3], replace(config, tier="limits")),
        (*base[:3], replace(config, key=b"l")),
    ]
    keys = {row_key(*base), *(row_key(*each) for each in others)}
    monkeypatch.setattr(seeds, "VERSION", "another")
    assert len(keys | {row_key(*base)}) == len(others) + 2


def test_a_moved_due_date_changes_the_lateness_and_judges_nothing_again():
    late = replace(ENTRY, late=60.0, received=2e9, version=2)
    assert row_key(late, "", "", JudgeConfig()) == row_key(ENTRY, "", "", JudgeConfig())
    result = as_received(JUDGED.result, late)
    assert (result.late, result.received, result.version) == (
        60.0,
        2e9,
        2,
    ) and result.exercises == JUDGED.result.exercises


def test_what_was_recorded_is_remembered_for_each_gradebook(path):
    with opened(path) as ledger:
        ledger.recorded(ENTRY, "one.db", "k")
        assert ledger.last_recorded(ENTRY, "two.db") is None
        assert ledger.last_recorded(ENTRY, "one.db")[:2] == ("k", ENTRY.sha256)


def test_nothing_is_published_in_a_course_that_was_never_graded(tmp_path):
    assert (
        latest(tmp_path, "01") == {}
        and latest_cells(tmp_path, "01") == {}
        and graded_notebooks(tmp_path) == []
    )
    assert not (tmp_path / "judged").exists(), "reading makes no ledger"


def test_what_is_published_is_read_with_the_facts_of_its_receipt(path):
    course = path.parents[1]
    late = replace(ENTRY, late=60.0, received=2e9, version=2)
    missing = Judged(SubmissionResult("bo", "01", Status.MISSING, reason="no notebook"))
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger.proved()
        assert latest(course, "01") == {} and graded_notebooks(course) == []
        ledger.publish("01", [("k", Judged(as_received(JUDGED.result, late))), (None, missing)])
        ledger.publish("02", [(None, replace(JUDGED, result=replace(JUDGED.result, assignment="02")))])
    assert latest(course, "01") == {"ann": as_received(JUDGED.result, late), "bo": missing.result}
    assert latest_cells(course, "01") == {"ann": JUDGED.cells, "bo": ()} and latest_cells(course, "02") == {
        "ann": JUDGED.cells
    }
    assert latest_cells(course, "'; DROP TABLE published") == {}
    assert graded_notebooks(course) == ["01", "02"]


def test_publishing_replaces_a_notebooks_results_together_and_keeps_no_dropped_ones(path):
    course = path.parents[1]
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger.proved()
        ledger.publish("01", [("k", JUDGED), (None, Judged(SubmissionResult("bo", "01", Status.MISSING)))])
        ledger.forget(["k"])
        assert ledger.results(["k"]) == {} and latest(course, "01")["ann"] == JUDGED.result
        assert latest_cells(course, "01")["ann"] == JUDGED.cells

        def cut_short():
            yield None, Judged(replace(JUDGED.result, notes=("new",)))
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            ledger.publish("01", cut_short())
        assert set(latest(course, "01")) == {"ann", "bo"} and latest(course, "01")["ann"] == JUDGED.result
        ledger.publish("01", [(None, Judged(replace(JUDGED.result, notes=("new",))))])
        assert {student: each.notes for student, each in latest(course, "01").items()} == {"ann": ("new",)}
        assert ledger.rows("SELECT count(*) FROM verdicts") == [(1,)]


@pytest.mark.parametrize("damage", ["UPDATE verdicts SET result = '{'", "UPDATE verdicts SET result = '[]'"])
def test_a_damaged_published_result_is_one_line_with_advice(path, damage):
    with opened(path) as ledger:
        ledger.publish("01", [(None, JUDGED)])
        ledger._base.execute(damage)
    with pytest.raises(UserError, match=r"ledger\.db: is damaged \(\w+\); delete it and grade again"):
        latest(path.parents[1], "01")


def test_a_ledger_of_another_version_is_one_line_with_advice(path):
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger.proved()
    with sqlite3.connect(path) as base:
        base.execute(f"PRAGMA user_version = {module.LAYOUT - 1}")
    for open_it in (lambda: Ledger(path), lambda: latest(path.parents[1], "01")):
        with pytest.raises(UserError, match=r"written by another version; delete it and grade again"):
            open_it()


def test_a_damaged_ledger_is_one_line_with_advice(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, but long enough to look at" * 99)
    with pytest.raises(UserError, match="delete it and grade again"):
        Ledger(path)


def test_a_damaged_result_is_one_line_with_advice(path):
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger._base.execute("UPDATE verdicts SET result = '{}'")
        with pytest.raises(UserError, match="delete it and grade again"):
            ledger.results(["k"])


def test_a_ledger_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "judged").write_text("a file where the folder should be")
    with pytest.raises(UserError, match="cannot be used"):
        Ledger(tmp_path / "judged" / "ledger.db")


@pytest.mark.slow
def test_it_is_the_version_that_nbgraders_own_program_tells():
    code = "import nbgrader.api; print(nbgrader.api.get_alembic_version())"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert newest_schema() == told.stdout.strip() != ""


def test_a_new_gradebook_holds_it_where_no_program_can_be_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_gradebook(tmp_path) as book:
        assert book.db.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [
            newest_schema()
        ]


def test_many_who_open_a_new_gradebook_at_once_find_it_whole(tmp_path):
    def opened_book(_):
        gate.wait()
        with open_gradebook(tmp_path) as book:
            return book.db.execute(text("SELECT version_num FROM alembic_version")).scalars().all()

    gate = threading.Barrier(6)
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(opened_book, range(6))) == [[newest_schema()]] * 6


@pytest.mark.parametrize("place", [20_000, 60_000])
def test_a_damaged_gradebook_is_one_line_that_says_what_to_do(course, place):
    path = course / "gradebook.db"
    content = bytearray(path.read_bytes())
    content[place : place + 3_000] = b"\xff" * 3_000
    path.write_bytes(content)
    with pytest.raises(
        UserError, match=r"is damaged \(.+\); `kqa course restore FILE --only gradebook --replace`"
    ) as said:
        open_gradebook(course)
    assert "\n" not in str(said.value)


def test_a_locked_gradebook_is_one_line_that_says_who_may_hold_it(course, monkeypatch):
    monkeypatch.setattr(gradebook, "LOCK_SECONDS", "0")
    with closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match="another process holds it; close formgrader"):
            open_gradebook(course)
