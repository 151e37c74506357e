"""Reading a submitted notebook: what is taken in, and what is refused with a reason.

- Only a regular file in regular folders: a link may lead to a classmate's work or to the solutions.
- The bytes are read once; the digest, the size and the cells all come from those bytes.
- UTF-8 (a byte order mark is fine), JSON, nbformat 4. Of a cell only its kind, source, id and nbgrader id are kept: everything
  else in the file is the student's word about themselves.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.judge.limits import Limits

MAX_CELLS = 2_000


class Refused(Exception):
    """The file is not taken in; the message is the reason, for the student and the instructor."""


@dataclass(frozen=True)
class SubmittedCell:
    """One cell of a student's notebook."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    grade_id: str | None
    id: str | None


@dataclass(frozen=True)
class SubmittedNotebook:
    """What was taken in."""

    cells: tuple[SubmittedCell, ...]
    sha256: str
    received: float  # modification time of the file, seconds since 1970


def read_notebook(folder: Path, relative: str, limits: Limits) -> SubmittedNotebook:
    """The notebook at `relative` under `folder`. Raises Refused, or FileNotFoundError where there is none."""
    path = folder
    for part in Path(relative).parts:
        path = path / part
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            raise Refused(f"{part} is a link; hand in the file itself")
    if not stat.S_ISREG(mode):
        raise Refused(f"{path.name} is no regular file")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if facts.st_size > limits.notebook:
            raise Refused(f"the notebook has {facts.st_size / 2**20:.0f} MiB, the limit is {limits.notebook / 2**20:.0f}")
        data = file.read(limits.notebook + 1)
    return SubmittedNotebook(parse_cells(data), hashlib.sha256(data).hexdigest(), facts.st_mtime)


def parse_cells(data: bytes) -> tuple[SubmittedCell, ...]:
    """The cells in the bytes of a notebook. Raises Refused."""
    if not data.strip():
        raise Refused("the file is empty; save the notebook and hand it in again")
    try:
        tree: Any = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refused("the file is no UTF-8 text; save it with Jupyter and hand it in again") from None
    except (ValueError, RecursionError):
        raise Refused("the file is no notebook: its JSON is broken; save it with Jupyter and hand it in again") from None
    if not isinstance(tree, dict) or type(tree.get("nbformat")) is not int or not isinstance(tree.get("cells", []), list):
        raise Refused("the file is JSON, but no notebook")
    if tree["nbformat"] != 4:
        raise Refused(f"the notebook has format {tree['nbformat']}, expected 4; open and save it with a current Jupyter")
    cells = tree.get("cells", [])
    if len(cells) > MAX_CELLS:
        raise Refused(f"the notebook has {len(cells)} cells, the limit is {MAX_CELLS}")
    return tuple(_cell(cell) for cell in cells)


def _cell(cell: object) -> SubmittedCell:
    if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
        raise Refused("a cell of the notebook is not one that Jupyter writes")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise Refused("a cell's source is no text")
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = marks.get("grade_id") if isinstance(marks, dict) else None
    identity = cell.get("id")
    return SubmittedCell(
        cell["cell_type"],
        source.encode("utf-8", "replace").decode("utf-8"),  # a lone surrogate is no character
        grade_id if isinstance(grade_id, str) else None,
        identity if isinstance(identity, str) else None,
    )
