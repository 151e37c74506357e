"""A file is swapped again and again while it is read: what is taken in is the student's file, or nothing."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions import intake
from autograder.submissions.intake import Refused, read_file

OWN, OTHER = b"the student's own file " * 2_000, b"somebody else's secret " * 2_000
READS = 1_500 if os.environ.get("KQA_ALL") else 300
OF_EACH = 20  # reads that must have ended in each of the ways in which they can
SECONDS = 60.0  # after which a test fails that has not seen them

pytestmark = pytest.mark.slow


def reads_while(change, folder: Path, *wanted: str) -> dict[str, int]:
    """How often a read gave the own file, another's,
    a refusal or nothing, while `change(number)` goes on in a thread.

    It reads READS times, and then until each of the `wanted` ways has been seen OF_EACH times.
    """
    over = threading.Event()

    def keep_changing() -> None:
        number = 0
        while not over.is_set():
            change(number)
            number += 1

    thread = threading.Thread(target=keep_changing, daemon=True)
    thread.start()
    seen = {"own": 0, "other": 0, "refused": 0, "gone": 0}
    try:
        until = time.monotonic() + SECONDS
        while sum(seen.values()) < READS or (
            min(seen[way] for way in wanted) < OF_EACH and time.monotonic() < until
        ):
            try:
                seen["own" if read_file(folder, "ann/one.ipynb", Limits()) == OWN else "other"] += 1
            except Refused:
                seen["refused"] += 1
            except FileNotFoundError:
                seen["gone"] += 1
    finally:
        over.set()
        thread.join()
    return seen


def prepared(root: Path) -> tuple[Path, Path, Path]:
    """The class's folder, the student's in it, and a folder with a secret under the same name."""
    student, secrets = root / "class" / "ann", root / "secrets"
    for folder, content in ((student, OWN), (secrets, OTHER)):
        folder.mkdir(parents=True)
        (folder / "one.ipynb").write_bytes(content)
    return root / "class", student, secrets


def swapped(path: Path, make) -> None:
    """Put what `make` makes in the place of `path`, in one step."""
    beside = path.with_name("beside")
    make(beside)
    beside.replace(path)


def test_a_file_that_becomes_a_link_to_a_secret_and_back(tmp_path):
    school, student, secrets = prepared(tmp_path)
    path = student / "one.ipynb"
    kinds = (lambda new: new.symlink_to(secrets / "one.ipynb"), lambda new: new.write_bytes(OWN))
    seen = reads_while(lambda number: swapped(path, kinds[number % 2]), school, "own", "refused")
    assert seen["other"] == 0 and min(seen["own"], seen["refused"]) >= OF_EACH


def test_a_file_that_becomes_a_hard_link_to_a_secret_and_back(tmp_path):
    school, student, secrets = prepared(tmp_path)
    path = student / "one.ipynb"
    kinds = (lambda new: new.hardlink_to(secrets / "one.ipynb"), lambda new: new.write_bytes(OWN))
    seen = reads_while(lambda number: swapped(path, kinds[number % 2]), school, "own", "refused")
    assert seen["other"] == 0 and min(seen["own"], seen["refused"]) >= OF_EACH


def test_in_the_midst_of_a_swap_a_hard_link_seems_to_have_one_name_and_is_refused(tmp_path, monkeypatch):
    """Linux takes the second name away a moment before the first one leads to the new file.
    The test makes such a moment.
    """
    school, student, secrets = prepared(tmp_path)
    path = student / "one.ipynb"
    path.unlink()
    path.hardlink_to(secrets / "one.ipynb")
    for name in ("stat", "fstat"):
        look = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *which, look=look, **how: with_one_name(look(*which, **how)))
    monkeypatch.setattr(intake, "_settled", lambda folder: swapped(path, lambda new: new.write_bytes(OWN)))
    with pytest.raises(Refused, match="changed"):
        read_file(school, "ann/one.ipynb", Limits())


def with_one_name(facts: os.stat_result) -> os.stat_result:
    """These facts of a file, with a link count of 1."""
    return os.stat_result((*facts[:3], 1, *facts[4:]), {"st_ctime_ns": facts.st_ctime_ns})


def test_a_folder_that_becomes_a_link_to_another_and_back(tmp_path):
    school, student, secrets = prepared(tmp_path)
    own = student.rename(tmp_path / "own")

    def change(number: int) -> None:
        if student.is_symlink():
            student.unlink()
            own.rename(student)
        else:
            student.rename(own) if student.exists() else None
            student.symlink_to(secrets)

    seen = reads_while(change, school, "gone", "refused")
    assert seen["other"] == 0 and min(seen["gone"], seen["refused"]) >= OF_EACH


def test_a_file_that_grows_and_shrinks(tmp_path):
    school, student, _ = prepared(tmp_path)

    def change(number: int) -> None:
        with (student / "one.ipynb").open("r+b") as file:
            file.truncate(1_000)
            file.seek(0)
            file.write(OWN)

    seen = reads_while(change, school, "own", "refused")
    assert min(seen["own"], seen["refused"]) >= OF_EACH and seen["gone"] == 0
