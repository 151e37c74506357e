"""What lies beside a notebook, who owns it, and copies of answer cells: none of it may gain or cost a mark."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

from hostile_course import NAME, as_bytes, code, honest, prose

from autograder.judge.results import Status
from corpus.fixture import WRONG, Fixture, function, lose

FILE = f"{NAME}.ipynb"
SECRET, TIME = "submission_secret.txt", "timestamp.txt"


def beside(**files: bytes) -> Any:
    """The honest notebook, and these files beside it: `secret` and `time`."""
    names = {"secret": SECRET, "time": TIME}

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        for name, content in files.items():
            (folder / names[name]).write_bytes(content)

    return place


def odd(kind: str, name: str) -> Any:
    """The honest notebook, and something else than a regular file in the place of one of the exchange's."""

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        path, course = folder / name, school.parent
        if kind == "link":
            path.symlink_to(course / ".course_key")
        elif kind == "hard link":
            path.hardlink_to(course / "source" / NAME / FILE)
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "device":
            path.symlink_to("/dev/zero")

    return place


def with_copy(kind: str, before: bool, source: str = "My first try was wrong.") -> Any:
    """A copy of the answer cell, as another kind of cell, kept as a note."""

    def edit(tree: dict[str, Any]) -> None:
        number = next(place for place, cell in enumerate(tree["cells"]) if cell["id"] == "average_all")
        note = {**prose(source, f"note-{kind}", "average_all"), "cell_type": kind}
        tree["cells"].insert(number if before else number + 1, note)

    return edit


def answer_as(kind: str) -> Any:
    """The answer cell itself, changed to another kind by mistake."""

    def edit(tree: dict[str, Any]) -> None:
        (cell,) = (cell for cell in tree["cells"] if cell["id"] == "average_all")
        cell["cell_type"] = kind
        for name in ("outputs", "execution_count"):
            cell.pop(name)

    return edit


def wrong_and_a_right_note(tree: dict[str, Any]) -> None:
    """The last code cell with the id is wrong; a note with the right answer follows."""
    (cell,) = (cell for cell in tree["cells"] if cell["id"] == "average_all")
    note = {**prose("".join(cell["source"]), "note", "average_all")}
    cell["source"] = [function(f"return {WRONG}")]
    tree["cells"].append(note)


def many_copies(tree: dict[str, Any]) -> None:
    """Five hundred notes with the id of the answer."""
    tree["cells"] += [prose(f"note {number}", f"n{number}", "average_all") for number in range(500)]


def checked_as_prose(tree: dict[str, Any]) -> None:
    """Check cells as Markdown, setup twice, and a second notebook's cells behind it."""
    for cell in tree["cells"]:
        if cell["id"].startswith("check_"):
            cell.update(cell_type="markdown")
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
    again = copy.deepcopy(tree["cells"][0])
    tree["cells"].append({**again, "id": "setup-again"})


def rights(folder_mode: int, file_mode: int) -> Any:
    """The honest notebook, readable and writable as somebody left it."""

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        (folder / FILE).chmod(file_mode)
        folder.chmod(folder_mode)

    return place


def owned_by(user: int) -> Any:
    """The honest notebook, owned by a user whom nobody knows, as after a copy from another machine."""

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        if os.geteuid() == 0:
            os.chown(folder / FILE, user, user)

    return place


def extra_name(name: str) -> Any:
    """The honest notebook beside a file with such a name."""

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        (folder / name).write_bytes(b"{}")

    return place


STAMPS = (
    Fixture("secret-that-climbs", "names a path as its secret", place=beside(secret=b"../../../course_key")),
    Fixture(
        "secret-of-no-text", "has bytes that are no text as its secret", place=beside(secret=b"\xff\xfe\x00")
    ),
    Fixture("secret-too-long", "has a secret of two megabytes", place=beside(secret=b"x" * 2_000_000)),
    Fixture(
        "secret-of-lines", "has line ends and markup in its secret", place=beside(secret=b"a\n<script>\r\n%s")
    ),
    Fixture("empty-stamps", "has an empty secret and an empty time", place=beside(secret=b"", time=b"")),
    Fixture("time-before-all", "was submitted in the year 1", place=beside(time=b"0001-01-01 00:00:00 UTC")),
    Fixture(
        "time-after-all", "was submitted at the end of time", place=beside(time=b"9999-12-31T23:59:59-23:59")
    ),
    Fixture("time-too-long", "names a time of a million digits", place=beside(time=b"2" * 1_000_000)),
    *(
        Fixture(f"{kind.replace(' ', '-')}-as-{what}", f"has a {kind} as its {what}", place=odd(kind, name))
        for kind in ("link", "hard link", "fifo", "folder", "device")
        for what, name in (("secret", SECRET), ("time", TIME))
    ),
)
COPIES = (
    *(
        Fixture(
            f"note-{kind}-{'above' if before else 'below'}",
            f"keeps a copy of the answer cell as {kind}",
            edit=with_copy(kind, before),
        )
        for kind in ("markdown", "raw")
        for before in (True, False)
    ),
    *(
        Fixture(f"answer-as-{kind}", f"has its answer cell as {kind}", edit=answer_as(kind))
        for kind in ("markdown", "raw")
    ),
    Fixture(
        "right-note-wrong-code",
        "has a wrong answer, and the right one as a note below",
        edit=wrong_and_a_right_note,
        lost=lose(None),
    ),
    Fixture("many-notes", "has five hundred notes with the id of the answer", edit=many_copies),
    Fixture("checks-as-prose", "has turned the check cells into prose", edit=checked_as_prose),
    Fixture(
        "note-that-is-code",
        "has a note that would be code in the answer's place",
        edit=with_copy("markdown", False, function(f"return {WRONG}")),
    ),
)
RIGHTS = (
    Fixture("writable-by-all", "lies in a folder into which everybody may write", place=rights(0o777, 0o666)),
    Fixture("write-only", "may be read by nobody but root", place=rights(0o300, 0o200))
    if os.geteuid() == 0
    else Fixture("write-only", "may be read by nobody", place=rights(0o300, 0o200), status=Status.REFUSED),
    Fixture("unknown-owner", "belongs to a user whom this machine does not know", place=owned_by(54321)),
    Fixture("percent-name", "lies beside a file with signs of a format", place=extra_name("%s%n{0}.txt")),
    Fixture(
        "right-to-left", "lies beside a name that is shown backwards", place=extra_name("gpj.\u202eipynb")
    ),
    Fixture(
        "same-name-other-form",
        "lies beside its own name in other letters",
        place=extra_name(FILE.upper().replace("A", "Å")),
    ),
)
ADDED = (
    Fixture(
        "code-with-no-id",
        "has the answer again in a cell without an id, which is wrong",
        edit=lambda tree: tree["cells"].insert(1, code(function(f"return {WRONG}"), "mine")),
    ),
)
FIXTURES = (*STAMPS, *COPIES, *RIGHTS, *ADDED)
