"""What is read from the disk and from the parser's reply, and what is refused with a reason."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.runner.notebook_parser import MAX_CELLS, MAX_ID, MAX_NAMES, MAX_SOURCE, REASONS
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.cells import MAX_TEXT, UNREADABLE, SubmittedCell, cells_from, parse_cells
from autograder.submissions.intake import Refused, file_names, read_file

NAME = "ann/01/01.ipynb"


def put(folder: Path, name: str = NAME, data: bytes = b"a notebook") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def refusal(folder: Path, name: str = NAME) -> str:
    """Why the file is refused. Reading must not wait for anybody."""
    reasons: list[str] = []

    def read() -> None:
        with pytest.raises(Refused) as refused:
            read_file(folder, name, Limits())
        reasons.append(str(refused.value))

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(60)
    assert reasons, "it waits, or does not refuse"
    return reasons[0]


def test_a_plain_file_is_read_whole(tmp_path):
    put(tmp_path)
    assert read_file(tmp_path, NAME, Limits()) == b"a notebook"


def test_the_folder_to_start_from_may_be_a_link_of_the_graders(tmp_path):
    put(tmp_path / "disk")
    (tmp_path / "submitted").symlink_to(tmp_path / "disk")
    assert read_file(tmp_path / "submitted", NAME, Limits()) == b"a notebook"


def test_a_file_at_the_cap_is_read_and_one_past_it_refused(tmp_path):
    put(tmp_path, data=b"x" * 1000)
    assert len(read_file(tmp_path, NAME, Limits(notebook=1000))) == 1000
    with pytest.raises(Refused, match="has more than"):
        read_file(tmp_path, NAME, Limits(notebook=999))


@pytest.mark.parametrize("linked", ["ann", "ann/01", NAME])
def test_a_link_is_refused_wherever_it_stands(tmp_path, linked):
    target = put(tmp_path, "bob/01/01.ipynb")
    while target.relative_to(tmp_path).parts[1:] != Path(linked).parts[1:]:
        target = target.parent
    (tmp_path / linked).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / linked).symlink_to(target)
    with pytest.raises(Refused, match="is a link"):
        read_file(tmp_path, NAME, Limits())


def test_a_hard_link_to_a_classmates_file_is_refused(tmp_path):
    classmates = put(tmp_path, "bob/01/01.ipynb")
    (tmp_path / "ann/01").mkdir(parents=True)
    (tmp_path / NAME).hardlink_to(classmates)
    ours = os.getuid()
    for owner in (None, ours + 1):
        with pytest.raises(Refused, match="hard link"):
            read_file(tmp_path, NAME, Limits(), owner=owner)
    # somebody else may have given the student's own file a second name
    assert read_file(tmp_path, NAME, Limits(), owner=ours) == classmates.read_bytes()


def test_a_second_name_that_goes_in_the_same_tick_of_the_disks_clock_is_told(tmp_path, monkeypatch):
    put(tmp_path).with_name("second").hardlink_to(tmp_path / NAME)
    real, first = os.fstat, (tmp_path / NAME).stat()
    monkeypatch.setattr(
        os,
        "fstat",
        lambda file: SimpleNamespace(
            st_nlink=1, st_ctime_ns=first.st_ctime_ns, **_of(real(file), "mode dev ino size")
        ),
    )
    with pytest.raises(Refused, match="hard link"):
        read_file(tmp_path, NAME, Limits())


def _of(facts: os.stat_result, names: str) -> dict[str, int]:
    return {f"st_{name}": getattr(facts, f"st_{name}") for name in names.split()}


SWAPS = {  # what is put in the place of what, just before which step
    "a folder by a link": ("ann", "ann", "bob"),
    "a file by a link": ("01.ipynb", NAME, "bob/01/01.ipynb"),
    "a file by a pipe": ("01.ipynb", NAME, "pipe"),
}


def between(monkeypatch, call: str, path: object, act: Callable[[], object]) -> None:
    """Do something just before the system call `call` is made for `path`, as another process could."""
    real, done = getattr(os, call), []

    def delayed(*args, **more):
        if args[0] == path and not done:
            done.append(act())
        return real(*args, **more)

    monkeypatch.setattr(os, call, delayed)


@pytest.mark.parametrize("step", SWAPS)
def test_what_is_swapped_in_at_the_last_moment_never_wins(tmp_path, monkeypatch, step):
    opened, place, by = SWAPS[step]
    put(tmp_path)
    put(tmp_path, "bob/01/01.ipynb", b"bob's own work")
    os.mkfifo(tmp_path / "pipe")

    def swap() -> None:
        (tmp_path / place).rename(tmp_path / "away")
        if by == "pipe":
            (tmp_path / by).rename(tmp_path / place)
        else:
            (tmp_path / place).symlink_to(tmp_path / by)

    between(monkeypatch, "open", opened, swap)
    assert "could not be read" in refusal(tmp_path) or step == "a file by a pipe"
    assert (tmp_path / "away").exists()


def test_a_folder_swapped_after_it_was_opened_is_still_the_one_read(tmp_path, monkeypatch):
    put(tmp_path)
    put(tmp_path, "bob/01/01.ipynb", b"bob's own work")

    def swap() -> None:
        (tmp_path / "ann").rename(tmp_path / "away")
        (tmp_path / "ann").symlink_to(tmp_path / "bob")

    between(monkeypatch, "open", "01.ipynb", swap)
    assert read_file(tmp_path, NAME, Limits()) == b"a notebook" and (tmp_path / "away").exists()


def test_a_file_that_is_still_being_written_is_refused(tmp_path, monkeypatch):
    path = put(tmp_path)
    real = os.fstat

    def then_grows(descriptor: int) -> os.stat_result:
        facts = real(descriptor)
        path.write_bytes(b"a notebook and more")
        return facts

    monkeypatch.setattr(os, "fstat", then_grows)
    assert "changed while it was read" in refusal(tmp_path)


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket"])
def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path, kind, monkeypatch):
    path = put(tmp_path)
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        monkeypatch.chdir(path.parent)  # a socket's path is short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    assert "no regular file" in refusal(tmp_path)


def test_a_device_is_refused():
    with pytest.raises(Refused, match="no regular file"):
        read_file(Path("/dev"), "zero", Limits())


def test_a_file_in_place_of_a_folder_is_refused(tmp_path):
    put(tmp_path, "ann/01")
    with pytest.raises(Refused, match="01 is no folder"):
        read_file(tmp_path, NAME, Limits())


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that the kernel will not read")
def test_what_cannot_be_read_is_refused_with_the_systems_reason():
    with pytest.raises(Refused, match="could not be read"):
        read_file(Path("/proc/self"), "mem", Limits())


def test_what_the_grader_may_not_read_is_refused(tmp_path):
    put(tmp_path).chmod(0)
    tmp_path.chmod(0o755)  # the others' folder may be listed, the file may not be read
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from autograder.submissions.intake import Refused, read_file\n"
        "from autograder.sandbox.timeout_and_memory_limits import Limits\n"
        "os.chdir(sys.argv[1])\n"
        "if os.getuid() == 0:\n"
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        "    read_file(Path('.'), sys.argv[2], Limits())\n"
        "except Refused as refused:\n"
        "    print(refused)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), NAME], capture_output=True, text=True, check=True
    )
    assert "may not be read" in ran.stdout


def test_nothing_handed_in_is_told_apart_from_refused(tmp_path):
    for name in (NAME, "ann/01/01.ipynb"):
        with pytest.raises(FileNotFoundError):
            read_file(tmp_path, name, Limits())
        (tmp_path / "ann/01").mkdir(parents=True, exist_ok=True)


@pytest.mark.parametrize("name", ["../x.ipynb", "ann/../bob.ipynb", "/etc/passwd", "ann//x", "."])
def test_no_path_leads_out_of_the_folder(tmp_path, name):
    with pytest.raises(ValueError, match="leads out"):
        read_file(tmp_path, name, Limits())


def test_a_folders_files_are_listed_without_the_hidden_ones(tmp_path):
    for name in ("b", "a", ".hidden"):
        put(tmp_path, f"ann/01/{name}")
    assert file_names(tmp_path, "ann/01") == ["a", "b"]


NONE = (None, [])  # no program
GOOD = ("code", "a = 1", "first", None, "0f", ["a"])


def test_the_parsers_cells_are_taken():
    assert cells_from([GOOD, ("markdown", "", None, "x1", *NONE)]) == (
        SubmittedCell("code", "a = 1", "first", None),
        SubmittedCell("markdown", "", None, "x1"),
    )
    assert cells_from([]) == ()


def test_what_is_just_as_large_as_it_may_be_is_taken():
    assert len(cells_from([GOOD] * MAX_CELLS)) == MAX_CELLS
    longest = ("code", "a" * MAX_SOURCE, "x" * MAX_ID, None, "x" * MAX_ID, ["x" * MAX_ID] * MAX_NAMES)
    assert len(cells_from([longest] * (MAX_TEXT // MAX_SOURCE))) == MAX_TEXT // MAX_SOURCE


def test_more_text_than_the_publishing_process_can_hold_well_is_refused_with_the_limit():
    longest = ("code", "a" * MAX_SOURCE, None, None, *NONE)
    with pytest.raises(Refused, match=f"more than {MAX_TEXT} characters together; shorten them"):
        cells_from([longest] * (MAX_TEXT // MAX_SOURCE) + [GOOD])


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_our_own_reasons_are_passed_on(reason):
    with pytest.raises(Refused) as refused:
        cells_from(reason)
    assert str(refused.value) == reason


class Text(str):
    """A text with ideas of its own."""


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {},
        (GOOD,),
        "full marks for ann",
        Text(min(REASONS)),
        [None],
        [list(GOOD)],
        [GOOD[:3]],
        [(*GOOD, None)],
        [(Text("code"), "a", None, None, *NONE)],
        [("heading", "a", None, None, *NONE)],
        [("code", b"a", None, None, *NONE)],
        [("code", Text("a"), None, None, *NONE)],
        [("code", "\ud800", None, None, *NONE)],
        [("code", "a" * (MAX_SOURCE + 1), None, None, *NONE)],
        [("code", "a", 3, None, *NONE)],
        [("code", "a", "x" * (MAX_ID + 1), None, *NONE)],
        [("code", "a", None, "two\nlines", *NONE)],
        [("code", "a", None, "\ud800", *NONE)],
        [(*GOOD[:4], b"0f", [])],
        [(*GOOD[:4], "x" * (MAX_ID + 1), [])],
        [(*GOOD[:4], "0f", ("a",))],
        [(*GOOD[:4], "0f", ["a"] * (MAX_NAMES + 1))],
        [(*GOOD[:4], "0f", [Text("a")])],
        [(*GOOD[:4], "0f", ["\ud800"])],
        [GOOD] * (MAX_CELLS + 1),
    ],
    ids=lambda reply: repr(reply)[:40],
)
def test_any_other_reply_is_refused_in_our_words(reply):
    with pytest.raises(Refused) as refused:
        cells_from(reply)
    assert str(refused.value) == UNREADABLE


def test_a_notebook_of_ours_is_parsed_in_place():
    assert parse_cells(b'{"nbformat": 4, "cells": [{"cell_type": "raw", "source": "x"}]}') == (
        SubmittedCell("raw", "x", None, None),
    )
    with pytest.raises(Refused, match="empty"):
        parse_cells(b"")
