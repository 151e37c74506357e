"""Files that are no honest notebook: broken, foreign,
too much, links, and what stands in a folder instead.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import nbformat
from hostile_course import NAME, as_bytes, code, honest

from autograder.judge.results import Status
from corpus.fixture import Fixture

REFUSED = Status.REFUSED
FILE = f"{NAME}.ipynb"


def older(version: int) -> Any:
    """The notebook in an older format."""

    def write(tree: dict[str, Any]) -> bytes:
        cells = [dict(cell) for cell in tree["cells"]]
        if version == 4:
            for cell in cells:
                del cell["id"]
            return as_bytes({**tree, "nbformat_minor": 0, "cells": cells})
        down = nbformat.convert(nbformat.reads(as_bytes(tree).decode(), as_version=4), 3)
        return nbformat.versions[3].writes_json(down).encode()

    return write


def second_format(tree: dict[str, Any]) -> bytes:
    """The notebook in format 2, of 2011, which has `input` for a code cell's source."""
    cells = [
        (
            {
                "cell_type": "code",
                "language": "python",
                "collapsed": False,
                "outputs": [],
                "input": "".join(cell["source"]),
                "metadata": cell["metadata"],
            }
            if cell["cell_type"] == "code"
            else {"cell_type": "markdown", "source": "".join(cell["source"]), "metadata": cell["metadata"]}
        )
        for cell in tree["cells"]
    ]
    return json.dumps({"metadata": {"name": ""}, "nbformat": 2, "worksheets": [{"cells": cells}]}).encode()


def with_format(number: object) -> Any:
    """The notebook with another format number."""
    return lambda tree: as_bytes({**tree, "nbformat": number})


def twice(tree: dict[str, Any]) -> bytes:
    """The notebook with its cells written down twice:
    what a reader sees depends on which of the two it takes.
    """
    text = as_bytes(tree).decode()
    return text.replace('{\n "cells"', '{\n "cells": [],\n "cells"', 1).encode()


def many(tree: dict[str, Any]) -> bytes:
    """The notebook and five thousand cells more."""
    return as_bytes(
        {**tree, "cells": tree["cells"] + [code("1", f"more-{number}") for number in range(5000)]}
    )


def odd_values(tree: dict[str, Any]) -> bytes:
    """Metadata of wrong types, numbers that are no JSON, half characters, a zero byte."""
    tree["cells"][1]["metadata"].update(score=float("nan"), collapsed=float("inf"), name="\ud800")
    more = [{**code("# \ud800 \x00 half a character", "odd"), "metadata": {"nbgrader": ["average_all"]}}]
    more += [{**code("1", "odder"), "metadata": {"nbgrader": {"grade_id": ["average_all"], "points": {}}}}]
    return json.dumps({**tree, "cells": tree["cells"] + more}).encode()


def prose(*cells: int) -> Any:
    """Cells of so many characters, of which each takes five in HTML,
    and one makes all of them four bytes wide in memory.
    """

    def write(tree: dict[str, Any]) -> None:
        tree["cells"] += [
            {
                "cell_type": "markdown",
                "id": f"prose-{number}",
                "metadata": {},
                "source": "\U0001f600" + "$" * (length - 1),
            }
            for number, length in enumerate(cells)
        ]

    return write


def rename(*names: str) -> Any:
    """The notebook under these names."""

    def place(folder: Path, school: Path) -> None:
        for name in names:
            (folder / name).write_bytes(as_bytes(honest()))

    return place


def linked(kind: str) -> Any:
    """A link, or something else that is no regular file, in the notebook's place."""

    def place(folder: Path, school: Path) -> None:
        course, path = school.parent, folder / FILE
        solutions = course / "source" / NAME / FILE
        if kind == "classmate":
            classmate = school / "0000-alone" / NAME / FILE
            path.symlink_to(os.path.relpath(classmate, folder))
        elif kind == "folder":
            folder.rmdir()
            folder.symlink_to(solutions.parent)
        elif kind == "hard":
            path.hardlink_to(solutions)
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind == "device":
            path.symlink_to("/dev/zero")
        elif kind == "socket":
            here = Path.cwd()
            os.chdir(folder)  # a socket's address is short
            socket.socket(socket.AF_UNIX).bind("s")
            os.chdir(here)
            (folder / "s").rename(path)
        elif kind == "directory":
            path.mkdir()
        elif kind == "loop":
            path.symlink_to(FILE)
        elif kind == "extra":
            path.write_bytes(as_bytes(honest()))
            (folder / "notes.txt").symlink_to(solutions)
            (folder / "data").symlink_to("/etc")
            (folder / "..%2f..%2fgradebook.db").write_text("a name that climbs")

    return place


def student_link(folder: Path, school: Path) -> None:
    """The student's whole folder is a link to a classmate's."""
    shutil.rmtree(folder.parent)
    folder.parent.symlink_to("0000-alone")


def submitted_at(time: str) -> Any:
    """The notebook, and beside it the time at which it claims that it was submitted."""

    def place(folder: Path, school: Path) -> None:
        (folder / FILE).write_bytes(as_bytes(honest()))
        (folder / "timestamp.txt").write_text(time)

    return place


def nothing(folder: Path, school: Path) -> None:
    """The folder is there, the notebook is not."""


BROKEN = (
    Fixture(
        "broken-json",
        "is half a file",
        content=lambda tree: as_bytes(tree)[: len(as_bytes(tree)) // 2],
        status=REFUSED,
    ),
    Fixture(
        "utf-16",
        "is UTF-16, as an editor on Windows may save it",
        content=lambda tree: as_bytes(tree).decode().encode("utf-16"),
        status=REFUSED,
    ),
    Fixture(
        "latin-1",
        "holds a byte that is no UTF-8",
        content=lambda tree: as_bytes(tree).replace(b"tree", b"\xe9") + b"\xe9",
        status=REFUSED,
    ),
    Fixture(
        "byte-order-mark",
        "is UTF-8 with a byte order mark",
        content=lambda tree: b"\xef\xbb\xbf" + as_bytes(tree),
    ),
    Fixture("empty", "is empty", content=b"", status=REFUSED),
    Fixture("no-notebook", "is JSON, and no notebook", content=b"[1, 2, 3]", status=REFUSED),
    Fixture(
        "binary",
        "is a zip file by another name",
        content=b"PK\x03\x04" + bytes(range(256)) * 50,
        status=REFUSED,
    ),
    Fixture("deep-nesting", "nests a hundred thousand lists", content=b"[" * 100_000, status=REFUSED),
    Fixture(
        "deep-metadata",
        "nests its metadata a hundred thousand deep",
        content=lambda tree: as_bytes(tree).replace(
            b'"metadata": {', b'"metadata": {"x": ' + b"[" * 100_000 + b"]" * 100_000 + b",", 1
        ),
        status=REFUSED,
    ),
    Fixture(
        "huge",
        "is larger than a notebook may be",
        content=lambda tree: as_bytes(tree) + b" " * 5_000_000,
        status=REFUSED,
    ),
    Fixture("duplicate-keys", "says twice what its cells are", content=twice, status=REFUSED),
    Fixture("many-cells", "has five thousand cells", content=many, status=REFUSED),
    Fixture(
        "wide-prose",
        "holds almost as much text as it may, of signs that grow in HTML",
        edit=prose(2**20, 900_000),
    ),
    Fixture(
        "too-much-prose", "holds more text than a notebook may", edit=prose(2**20, 2**20), status=REFUSED
    ),
    Fixture("odd-values", "has metadata of wrong types and characters that are none", content=odd_values),
)
FORMATS = (
    Fixture("format-5", "says that it is of a format to come", content=with_format(5), status=REFUSED),
    Fixture("format-text", "says that its format is a text", content=with_format("4"), status=REFUSED),
    Fixture("format-4.0", "is of the format's first minor version, whose cells have no id", content=older(4)),
    Fixture("format-3", "is of format 3, of 2013", content=older(3)),
    Fixture("format-2", "is of format 2, of 2011", content=second_format),
    Fixture(
        "wrong-kernel",
        "asks for a kernel that runs shell commands",
        edit=lambda tree: tree["metadata"].update(
            kernelspec={"name": "bash", "display_name": "x", "argv": ["/bin/sh"]}
        ),
    ),
)
PLACES = (
    Fixture("wrong-name", "is called otherwise", place=rename("my essay.ipynb"), status=REFUSED),
    Fixture("several", "lies beside other notebooks", place=rename(FILE, f"Copy of {FILE}", "essay.ipynb")),
    Fixture("none", "was not handed in", place=nothing, status=Status.MISSING),
    Fixture(
        "link-to-classmate", "is a link to a classmate's file", place=linked("classmate"), status=REFUSED
    ),
    Fixture(
        "link-to-solutions",
        "lies in a folder that is a link to the solutions",
        place=linked("folder"),
        status=REFUSED,
    ),
    Fixture("linked-student", "is a link to a classmate's whole folder", place=student_link, status=REFUSED),
    Fixture("hard-link", "is a hard link to the solutions", place=linked("hard"), status=REFUSED),
    Fixture("fifo", "is a pipe that nobody ever writes to", place=linked("fifo"), status=REFUSED),
    Fixture(
        "endless-device", "is a link to a device that never ends", place=linked("device"), status=REFUSED
    ),
    Fixture("socket", "is a socket", place=linked("socket"), status=REFUSED),
    Fixture("directory", "is a folder", place=linked("directory"), status=REFUSED),
    Fixture("link-loop", "is a link to itself", place=linked("loop"), status=REFUSED),
    Fixture(
        "extra-links", "lies beside links to the solutions, and a name that climbs", place=linked("extra")
    ),
    Fixture(
        "time-zone-of-memory",
        "names its process's memory as its time zone",
        place=submitted_at("2026-01-01 00:00:00 /proc/self/mem"),
    ),
    Fixture(
        "time-zone-that-climbs",
        "names it by a relative path",
        place=submitted_at("2026-01-01 00:00:00 ../../../proc/self/mem"),
    ),
    Fixture(
        "name-of-an-option",
        "is handed in under a name that looks like an option",
        student="-rf *\n;",
        status=REFUSED,
    ),
    Fixture(
        "no-cells",
        "has no cell",
        edit=lambda tree: tree.update(cells=[]),
        status=Status.UNREADABLE,
    ),
)
FIXTURES = (*BROKEN, *FORMATS, *PLACES)
