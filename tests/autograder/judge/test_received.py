"""What is taken in and kept, and which version counts."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions import store, versions
from autograder.submissions.intake import ignored_entries
from autograder.submissions.store import Submission, manifest, receive
from autograder.submissions.student_names import MANIFEST
from kqa_core.errors import UserError

NAMES = ("01_lookup", "06_block")
ONE = NAMES[0]


class Class:
    """A folder of hand-ins and the store beside it."""

    def __init__(self, path: Path) -> None:
        self.folder, self.store = path / "submitted", path / "received"
        self.folder.mkdir()

    def hand_in(self, student: str, text: str, name: str = ONE, file: str | None = None) -> Path:
        path = self.folder / student / name / (file or f"{name}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def receive(self, at: float | None = None, **limits: int) -> list[str]:
        return receive(self.folder, self.store, NAMES, Limits(**limits), at)

    def manifest(self, due: float | None = None) -> list[Submission]:
        return manifest(self.store, ONE, due)

    def one(self, student: str, due: float | None = None, name: str = ONE) -> Submission:
        (found,) = [each for each in manifest(self.store, name, due) if each.student == student]
        return found

    def text(self, entry: Submission) -> str:
        return (self.store / str(entry.file)).read_text()


@pytest.fixture
def klass(tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_what_was_handed_in_is_kept_under_its_version_and_digest(klass):
    klass.hand_in("ann", "first")
    digest = hashlib.sha256(b"first").hexdigest()
    assert klass.receive(at=100.0) == [f"ann, {ONE}: version 1"]
    entry = klass.one("ann")
    assert entry == Submission("ann", ONE, f"ann/{ONE}/0001-{digest[:12]}.ipynb", digest, 100.0, 1)
    assert klass.text(entry) == "first"


def test_only_the_folders_that_are_asked_for_are_looked_at(klass):
    klass.hand_in("ann", "first")
    klass.hand_in("bo", "first")
    received = receive(klass.folder, klass.store, NAMES, Limits(), 100.0, among={"bo"})
    assert received == [f"bo, {ONE}: version 1"]
    assert receive(klass.folder, klass.store, NAMES, Limits(), 100.0, among=set()) == []
    assert receive(klass.folder, klass.store, NAMES, Limits(), 100.0) == [f"ann, {ONE}: version 1"]


def test_the_time_of_receipt_is_our_clock_and_not_the_files(klass):
    os.utime(klass.hand_in("ann", "first"), (5.0, 5.0))
    before = time.time()
    klass.receive()
    received = klass.one("ann").received
    assert received is not None and before <= received <= time.time()


def test_the_same_bytes_again_are_no_new_version(klass):
    klass.hand_in("ann", "first")
    klass.receive(at=100.0)
    size = (klass.store / MANIFEST).stat().st_size
    os.utime(klass.hand_in("ann", "first"), (5.0, 5.0))
    assert klass.receive(at=200.0) == [] and klass.receive() == []
    assert (klass.one("ann").version, klass.one("ann").received) == (1, 100.0)
    assert (klass.store / MANIFEST).stat().st_size == size


def test_a_clock_that_is_set_back_changes_no_time_of_receipt(klass):
    klass.hand_in("ann", "first")
    later = time.time() + 1000
    klass.receive(at=later)
    assert klass.receive() == [] and klass.one("ann").received == later


@pytest.mark.parametrize(("what", "most"), [("MOST_VERSIONS", 2), ("MOST_BYTES", 10)])
def test_there_is_an_end_to_the_versions_and_the_last_one_counts(klass, monkeypatch, what, most):
    monkeypatch.setattr(store, what, most)
    lines = []
    for at, text in enumerate(("one", "two two", "three", "three", "four"), 1):  # ten bytes hold two of them
        klass.hand_in("ann", text)
        lines.append(klass.receive(at=float(at)))
    assert lines[:2] == [[f"ann, {ONE}: version 1"], [f"ann, {ONE}: version 2"]] and lines[3:] == [[], []]
    assert "no more are kept" in lines[2][0]
    assert sorted(path.read_text() for path in (klass.store / "ann" / ONE).iterdir()) == ["one", "two two"]
    entry = klass.one("ann")
    assert (entry.version, entry.refused) == (2, None) and "later submission was refused" in entry.notes[-1]
    klass.hand_in("ann", "two two")
    klass.receive(at=9.0)
    assert klass.one("ann").notes == (), "the last version that was kept can be submitted again"


def test_no_student_can_make_the_manifest_grow_without_end(klass, monkeypatch):
    monkeypatch.setattr(versions, "MOST_EVENTS", 10)
    path = klass.hand_in("ann", "first")
    for _ in range(30):
        klass.receive()
        path.unlink()
        path.symlink_to("elsewhere")
        klass.receive()
        path.unlink()
        klass.hand_in("ann", "first")
    assert len((klass.store / MANIFEST).read_text().splitlines()) <= 12
    klass.hand_in("ann", "second")
    assert klass.receive() == [f"ann, {ONE}: version 2"], "a new version has its line"


def test_going_back_to_an_earlier_versions_bytes_is_a_new_version(klass):
    for at, text in ((1.0, "first"), (2.0, "second"), (3.0, "first")):
        klass.hand_in("ann", text)
        klass.receive(at=at)
    entry = klass.one("ann")
    assert (entry.version, entry.received, klass.text(entry)) == (3, 3.0, "first")
    assert len(list((klass.store / "ann" / ONE).iterdir())) == 3


def test_the_last_version_before_the_due_date_counts(klass):
    for at in (1.0, 2.0, 3.0):
        klass.hand_in("ann", f"at {at}")
        klass.receive(at=at)
    assert klass.one("ann", due=2.0).version == 2
    entry = klass.one("ann", due=2.5)
    assert (entry.version, entry.late, klass.text(entry)) == (2, 0.0, "at 2.0")
    assert "version 3 came after the due date" in entry.notes[0]
    assert klass.one("ann", due=3.0).notes == ()
    assert klass.one("ann", due=None).version == 3


def test_where_all_versions_are_late_the_last_counts_with_its_lateness(klass):
    for at in (10.0, 70.0):
        klass.hand_in("ann", f"at {at}")
        klass.receive(at=at)
    entry = klass.one("ann", due=9.5)
    assert (entry.version, entry.late) == (2, 60.5)


def test_taking_in_again_with_an_earlier_time_corrects_the_time(klass):
    klass.hand_in("ann", "first")
    klass.receive(at=100.0)
    assert klass.receive(at=50.0) == [f"ann, {ONE}: version 1 was received earlier"]
    assert (klass.one("ann").version, klass.one("ann").received) == (1, 50.0)
    assert klass.receive(at=50.0) == [] and klass.receive() == []


def test_an_older_file_taken_in_later_counts_by_its_time(klass):
    klass.hand_in("ann", "the late one")
    klass.receive(at=100.0)
    klass.hand_in("ann", "what she sent by mail in time")
    klass.receive(at=50.0)
    assert klass.one("ann", due=60.0).version == 2 and klass.one("ann").version == 1


def test_every_student_ever_seen_has_an_entry_for_every_notebook(klass):
    (klass.folder / "bob").mkdir()
    klass.hand_in("ann", "first")
    klass.receive(at=1.0)
    (klass.folder / "bob").rmdir()
    klass.receive(at=2.0)
    assert [each.student for each in manifest(klass.store, ONE)] == ["ann", "bob"]
    assert klass.one("bob") == Submission("bob", ONE)
    assert klass.one("ann", name=NAMES[1]) == Submission("ann", NAMES[1])


@pytest.mark.parametrize("beside", [[], ["other.ipynb"]])
def test_a_hand_in_that_is_taken_away_again_stays_handed_in(klass, beside):
    paths = [klass.hand_in("ann", "first"), *(klass.hand_in("ann", "x", file=file) for file in beside)]
    klass.receive(at=1.0)
    for path in paths:
        path.unlink()
    entry = klass.one("ann")
    assert klass.receive(at=2.0) == [] and klass.one("ann") == entry and klass.text(entry) == "first"


def test_an_empty_folder_or_nbgraders_timestamp_alone_is_nothing_handed_in(klass):
    klass.hand_in("ann", "2026-11-20 12:00:00 UTC", file="timestamp.txt")
    (klass.folder / "bob" / ONE).mkdir(parents=True)
    assert klass.receive() == []
    assert klass.one("ann") == Submission("ann", ONE) and klass.one("bob") == Submission("bob", ONE)


def test_a_wrong_name_is_refused_with_the_name_that_is_expected(klass):
    klass.hand_in("ann", "x", file="essay\x1b[2J.ipynb")
    klass.receive(at=7.0)
    entry = klass.one("ann")
    assert entry.refused == f"the folder holds essay?[2J.ipynb; expected {ONE}.ipynb"
    assert (entry.file, entry.sha256, entry.version, entry.received) == (None, None, 0, 7.0)


COPIES = (
    *(f"{ONE} (1).ipynb", f"{ONE}(12).ipynb", f"{ONE}-Copy1.ipynb", f"{ONE} - Copy.ipynb"),
    *(f"{ONE} - Copy (2).ipynb", f"{ONE} copy 2.ipynb", f"Copy of {ONE}.ipynb", f"{ONE}-1.ipynb"),
    *(f"{ONE}+(1).ipynb", f"Copy%20of%20{ONE}.ipynb"),
    *(f"{ONE}-1 (2).ipynb", f"{ONE}.ipynb.txt", f"{ONE}.ipynb.json", f"{ONE}.IPYNB"),
)


@pytest.mark.parametrize("file", COPIES)
def test_a_name_that_a_program_makes_for_a_copy_is_accepted_with_a_note(klass, file):
    klass.hand_in("ann", "x", file=file)
    klass.receive()
    entry = klass.one("ann")
    assert (entry.refused, entry.notes, klass.text(entry)) == (None, (f"submitted as {file}",), "x")


def test_of_several_copies_none_is_chosen_and_all_are_named(klass):
    for file in COPIES[:2]:
        klass.hand_in("ann", "x", file=file)
    klass.receive()
    refused = klass.one("ann").refused
    assert refused is not None and all(part in refused for part in (*COPIES[:2], "which one counts"))


def test_a_copy_beside_another_notebook_is_accepted_and_the_other_one_is_named(klass):
    klass.hand_in("ann", "x", file=COPIES[0])
    klass.hand_in("ann", "y", file="essay.ipynb")
    klass.receive()
    entry = klass.one("ann")
    assert klass.text(entry) == "x" and "essay.ipynb, which was not looked at" in entry.notes[1]


@pytest.mark.parametrize("file", ["essay.ipynb", f"{ONE}_final.ipynb", f"{ONE}.ipynb.zip", f"{ONE}2.ipynb"])
def test_whatever_might_be_the_notebook_under_another_name_is_refused(klass, file):
    klass.hand_in("ann", "x", file=file)
    klass.receive()
    assert klass.one("ann").refused is not None


def test_other_files_alone_are_nothing_handed_in_and_a_note_names_them(klass):
    path = klass.hand_in("ann", "I will add the notebook later.", file="notes.txt")
    line = f"ann, {ONE}: the folder holds notes.txt; expected {ONE}.ipynb"
    assert (klass.receive(), klass.receive()) == ([line], [])
    notes = (f"the folder holds notes.txt; expected {ONE}.ipynb",)
    assert klass.one("ann") == Submission("ann", ONE, notes=notes)
    path.unlink()
    klass.receive()
    assert klass.one("ann") == Submission("ann", ONE)
    klass.hand_in("ann", "x")
    klass.receive()
    assert klass.one("ann").version == 1 and klass.one("ann").notes == ()


def test_the_expected_notebook_counts_and_a_note_names_the_others(klass):
    klass.hand_in("ann", "mine")
    for name in ("b.ipynb", "a" * 80 + ".IPYNB", "c.ipynb", "d.ipynb", "picture.png"):
        klass.hand_in("ann", "x", file=name)
    klass.receive()
    entry = klass.one("ann")
    assert klass.text(entry) == "mine"
    others = f"{'a' * 39}…, b.ipynb, c.ipynb and 1 more"
    assert entry.notes == (f"beside {ONE}.ipynb lies {others}, which was not looked at",)


def test_a_refusal_is_entered_once_and_goes_when_its_cause_goes(klass):
    path = klass.hand_in("ann", "x" * 100)
    assert len(klass.receive(notebook=50)) == 1 and klass.receive(notebook=50) == []
    assert "has more than" in str(klass.one("ann").refused)
    path.unlink()
    assert klass.receive() == [f"ann, {ONE}: nothing any more"] and klass.receive() == []
    assert klass.one("ann") == Submission("ann", ONE)
    klass.hand_in("ann", "small")
    klass.receive()
    assert (klass.one("ann").version, klass.one("ann").refused) == (1, None)


def test_a_refused_hand_in_takes_no_earlier_version_away(klass):
    path = klass.hand_in("ann", "first")
    klass.receive(at=1.0)
    path.unlink()
    path.symlink_to(klass.hand_in("bob", "bob's"))
    klass.receive(at=2.0)
    entry = klass.one("ann")
    assert (entry.version, entry.refused, klass.text(entry)) == (1, None, "first")
    assert "a later submission was refused" in entry.notes[0] and "is a link" in entry.notes[0]
    path.unlink()
    klass.hand_in("ann", "first")
    klass.receive(at=3.0)
    assert (klass.one("ann").received, klass.one("ann").notes) == (1.0, ())


def test_a_students_folder_that_is_a_link_is_refused_for_every_notebook(klass):
    klass.hand_in("bob", "bob's")
    (klass.folder / "ann").symlink_to(klass.folder / "bob")
    klass.receive()
    assert all("is a link" in str(klass.one("ann", name=name).refused) for name in NAMES)
    assert klass.one("bob").version == 1


@pytest.mark.parametrize("wrong", [{"student": 3}, {"assignment": 0}, {"received": "x"}, {"received": None}])
def test_an_entry_that_is_none_of_ours_is_told_as_damaged(klass, wrong):
    klass.hand_in("ann", "x")
    klass.receive()
    path = klass.store / MANIFEST
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, json.dumps(json.loads(lines[0]) | wrong)]) + "\n")
    with pytest.raises(UserError, match=f"line {len(lines) + 1} is damaged"):
        klass.one("ann")


def test_what_jupyter_and_the_system_hide_is_no_student(klass):
    klass.hand_in("ann", "x")
    (klass.folder / ".ipynb_checkpoints").mkdir()
    (klass.folder / ".DS_Store").write_text("x")
    klass.receive()
    students = [each.student for each in manifest(klass.store, ONE)]
    assert (students, ignored_entries(klass.folder, NAMES)) == (["ann"], [])


def test_what_lies_in_the_wrong_place_is_told(klass):
    klass.hand_in("ann", "x", name="01", file="01.ipynb")
    (klass.folder / "ann.ipynb").write_text("x")
    assert ignored_entries(klass.folder, NAMES) == [
        "ann: 01 is no notebook of the course; ignored",
        "ann.ipynb: lies in no student's folder; expected STUDENT/NOTEBOOK/NOTEBOOK.ipynb; ignored",
    ]


def test_a_folder_that_is_not_there_is_a_persons_mistake(klass):
    with pytest.raises(UserError, match="no such folder"):
        receive(klass.folder / "nowhere", klass.store, NAMES, Limits())
    assert not klass.store.exists() and manifest(klass.store, ONE) == []


def test_a_store_that_cannot_be_written_is_a_persons_mistake(klass):
    klass.hand_in("ann", "x")
    klass.store.write_text("a file in its place")
    with pytest.raises(UserError, match="received"):
        klass.receive()
