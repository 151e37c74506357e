"""A clock that is wrong changes no verdict silently: versions have an order of their own, and notes tell."""

from __future__ import annotations

import time

import pytest
from test_received import ONE, Class

from autograder.submissions.counting import Clock as Told
from autograder.submissions.counting import clock_of
from autograder.submissions.versions import Submission

NOW, HOUR, DAY = 1.79e9, 3600.0, 86400.0


class Clock:
    """A class whose machine's clock says what it is told."""

    def __init__(self, klass, monkeypatch) -> None:
        self.klass, self.said = klass, NOW
        monkeypatch.setattr(time, "time", lambda: self.said)

    def submit(self, said: float, text: str, student: str = "ann") -> None:
        self.said = said
        self.klass.hand_in(student, text)
        self.klass.receive()

    def counts(self, due: float | None = None, said: float | None = None):
        self.said = said or self.said
        return self.klass.one("ann", due)


@pytest.fixture
def clock(tmp_path, monkeypatch) -> Clock:
    return Clock(Class(tmp_path), monkeypatch)


def told(entry) -> bool:
    return any("the clock of this machine said" in note for note in entry.notes)


def test_a_clock_that_is_right_says_nothing(clock):
    for at in (NOW, NOW + 5, NOW + 3, NOW + HOUR):  # a few seconds back is how clocks are kept right
        clock.submit(at, f"at {at}")
    entry = clock.counts(due=NOW + 2 * HOUR)
    assert (entry.version, entry.received, entry.notes) == (4, NOW + HOUR, ())


def test_set_back_an_hour_the_later_version_counts(clock):
    clock.submit(NOW, "first")
    clock.submit(NOW - HOUR, "second")
    for due in (None, NOW + DAY):
        assert clock.counts(due).version == 2 and told(clock.counts(due))


@pytest.mark.parametrize("others", [0, 3])
def test_a_day_ahead_at_the_first_version_the_later_ones_count(clock, others):
    for number in range(others):
        clock.submit(NOW - HOUR + number, "x", f"student{number}")
    clock.submit(NOW + DAY, "first")
    clock.submit(NOW + HOUR, "second")
    clock.submit(NOW + 2 * HOUR, "third")
    for due in (None, NOW + 3 * HOUR):
        entry = clock.counts(due)
        assert (entry.version, entry.late) == (3, 0.0) and told(entry)


def test_a_day_ahead_nobody_is_late_when_the_clock_is_right_again(clock):
    clock.submit(NOW - HOUR, "x", "bo")
    clock.submit(NOW + DAY, "first")
    assert not told(clock.counts())
    assert clock.counts(due=NOW + 3 * HOUR).late > 0, "nobody can know it yet"
    clock.said = NOW + HOUR
    clock.klass.receive()
    entry = clock.counts(due=NOW + 3 * HOUR)
    assert (entry.version, entry.late) == (1, 0.0) and told(entry)
    lines = (clock.klass.store / "manifest.jsonl").read_text()
    clock.said += 10
    clock.klass.receive()
    assert (clock.klass.store / "manifest.jsonl").read_text() == lines, "it is noted once"


@pytest.mark.parametrize("said", [0.0, 12.5, 1.0e9])
def test_at_1970_the_version_has_the_time_before_it_and_a_note(clock, said):
    clock.submit(NOW, "first")
    clock.submit(said, "second")
    entry = clock.counts(due=NOW - HOUR, said=NOW + HOUR)
    assert entry.version == 2 and entry.late == HOUR, "what came before it was late, so it is late, too"
    assert told(entry) and "kqa course receive FOLDER --at TIME" in entry.notes[-1]
    clock.submit(NOW + 2 * HOUR, "third")
    entry = clock.counts(due=NOW + HOUR)
    assert entry.version == 2 and told(entry), "a later version that is late does not count"


def test_a_time_that_a_person_gave_decides(clock):
    clock.submit(NOW, "first")
    clock.submit(0.0, "second")
    clock.said = NOW + DAY
    clock.klass.receive(at=NOW + HOUR)
    entry = clock.counts(due=NOW + HOUR / 2)
    assert (entry.version, entry.late) == (1, 0.0) and not told(entry)
    assert clock.counts(due=NOW + 2 * HOUR).version == 2


@pytest.mark.slow
def test_one_students_wrong_time_changes_nobody_elses(clock):
    for number in range(20):
        clock.submit(NOW + number * HOUR, "x", f"student{number:02}")
    clock.submit(1.75e9, "first")
    for number in range(20, 40):
        clock.submit(NOW + number * HOUR, "x", f"student{number:02}")
    times = {entry.student: entry.received for entry in clock.klass.manifest()}
    assert [times[f"student{number:02}"] for number in range(40)] == [NOW + n * HOUR for n in range(40)]
    assert told(clock.counts())


def test_late_by_a_clock_that_was_set_back_later_is_noted(clock):
    for student in ("bo", "cleo", "ann"):
        clock.submit(NOW + DAY, "x", student)
    clock.submit(NOW, "x", "dan")
    entry = clock.counts(due=NOW + HOUR)
    assert (
        entry.late > 0 and "which is before the due date; if it was not late, give the time" in entry.notes[0]
    )
    assert clock.counts(due=NOW - HOUR).notes == (), "it was late by both"
    assert clock.counts(due=NOW + 2 * DAY).notes == (), "it was in time by both"


def test_an_old_store_is_read_as_before():
    history = {
        ("ann", ONE): [Submission("ann", ONE, "f", "d", 200.0, 1), Submission("ann", ONE, "g", "e", 100.0, 2)]
    }
    assert clock_of(history) == Told({}, {})


def test_a_person_corrects_a_clock_that_was_wrong_and_only_once(clock):
    clock.submit(5.0, "first")  # 1970, after a start without a battery
    for at, said in ((NOW, f"ann, {ONE}: version 1 was received later"), (NOW + DAY, None)):
        assert clock.klass.receive(at=at) == ([said] if said else [])
        assert (clock.counts().received, clock.counts().by_clock) == (NOW, False)


@pytest.mark.parametrize("at", [NOW, NOW + DAY])
def test_a_time_that_is_no_earlier_changes_nothing_where_the_clock_was_right(clock, at):
    clock.submit(NOW, "first")
    assert clock.klass.receive(at=at) == []
    assert (clock.counts().received, clock.counts().by_clock) == (NOW, True)
