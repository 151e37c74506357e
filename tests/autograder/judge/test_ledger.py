"""The ledger: each task is judged by one, a dead owner's lease is free, and nothing unproved is forgotten."""

from __future__ import annotations

import multiprocessing
import sqlite3
from dataclasses import replace

import pytest

from autograder.farm import ledger as module
from autograder.farm.ledger import Ledger, as_received, row_key
from autograder.judge.results import ExerciseResult, Judged, ShownCell, Status, SubmissionResult
from autograder.sandbox.limits import Limits
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

ENTRY = Submission("ann", "01", "ann/01/1.ipynb", "ab" * 32, 1e9, 1)
GRADE = ExerciseResult("double", Status.GRADED, "right", 1.0, 1, "right")
JUDGED = Judged(
    SubmissionResult("ann", "01", Status.GRADED, (GRADE,), None, ("a note",), "ab" * 32, 1e9, 1, 0.0, "limits"),
    (ShownCell("solution", "code", "x = '\u2028é'", "double"),),
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
        assert ledger.results(["k", "other"]) == {"k": JUDGED}


def test_a_task_is_taken_by_one(path):
    with opened(path) as one, opened(path) as two:
        assert one.take("k", ENTRY) and not two.take("k", ENTRY)
        one.release("k")
        assert two.take("k", ENTRY)


def take_and_die(path):
    Ledger(path).take("k", ENTRY)


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
        monkeypatch.setattr(module.time, "time", lambda now=module.time.time: now() + module.LEASE_SECONDS + 1)
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


def test_judging_again_forgets_results_and_no_leases(path):
    with opened(path) as ledger, opened(path) as other:
        ledger.take("a", ENTRY)
        ledger.keep("a", JUDGED)
        other.take("b", ENTRY)
        ledger.forget(["a", "b"])
        assert ledger.take("a", ENTRY) and not ledger.take("b", ENTRY)


def test_everything_that_decides_a_result_is_in_its_key(monkeypatch):
    base = (ENTRY, "{}", "course", Limits(), "bubblewrap", b"k")
    others = [
        (replace(ENTRY, sha256="cd"), *base[1:]),
        (replace(ENTRY, student="bob"), *base[1:]),
        (replace(ENTRY, notes=("n",)), *base[1:]),
        (ENTRY, "{ }", *base[2:]),
        (*base[:2], "other", *base[3:]),
        (*base[:3], Limits(call_seconds=1.0), *base[4:]),
        (*base[:4], "limits", b"k"),
        (*base[:5], b"l"),
    ]
    keys = {row_key(*base), *(row_key(*each) for each in others)}
    monkeypatch.setattr(module.seeds, "VERSION", "another")
    assert len(keys | {row_key(*base)}) == len(others) + 2


def test_a_moved_due_date_changes_the_lateness_and_judges_nothing_again():
    late = replace(ENTRY, late=60.0, received=2e9, version=2)
    assert row_key(late, "", "", Limits(), "", b"") == row_key(ENTRY, "", "", Limits(), "", b"")
    result = as_received(JUDGED, late).result
    assert (result.late, result.received, result.version) == (60.0, 2e9, 2) and result.exercises == JUDGED.result.exercises


def test_what_was_recorded_is_remembered_for_each_gradebook(path):
    with opened(path) as ledger:
        ledger.recorded(ENTRY, "one.db", "k")
        assert ledger.last_recorded(ENTRY, "two.db") is None
        assert ledger.last_recorded(ENTRY, "one.db")[:2] == ("k", ENTRY.sha256)


def test_a_ledger_of_another_layout_is_not_read(path):
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger.proved()
    with sqlite3.connect(path) as base:
        base.execute("ALTER TABLE judged_1 RENAME TO judged_0")
    with opened(path) as ledger:
        assert ledger.results(["k"]) == {} and ledger.to_do(["k"]) == (["k"], [], [])


def test_a_damaged_ledger_is_one_line_with_advice(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, but long enough to look at" * 99)
    with pytest.raises(UserError, match="delete it and grade again"):
        Ledger(path)


def test_a_damaged_result_is_one_line_with_advice(path):
    with opened(path) as ledger:
        ledger.take("k", ENTRY)
        ledger.keep("k", JUDGED)
        ledger._base.execute("UPDATE judged_1 SET result = '{}'")
        with pytest.raises(UserError, match="delete it and grade again"):
            ledger.results(["k"])


def test_a_ledger_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "judged").write_text("a file where the folder should be")
    with pytest.raises(UserError, match="cannot be used"):
        Ledger(tmp_path / "judged" / "ledger.db")
